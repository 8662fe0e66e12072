package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.ResetPolicy;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the records of a topic. */
@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Prints the records of a topic, each partition in order, and stops at its end.",
    footer = {
      "",
      "The end is where the topic ended when the command began; --follow goes on behind it.",
      "",
      "Examples:",
      "  minikafka consume greetings",
      "  minikafka consume access --from 15m --follow",
      "  minikafka consume users --format '%%p/%%o %%k=%%v\\n'",
      "  minikafka consume blobs --raw > any.bin"
    })
final class ConsumeCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(250);

  @Parameters(paramLabel = "TOPIC", description = "What to read; it must exist.")
  String topic = "";

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      defaultValue = "beginning",
      converter = StartPoint.Converter.class,
      description =
          "beginning, end, an offset, a time (2026-01-31T12:00:00Z), or a time ago (90s, 15m, 2h,"
              + " 7d) (beginning).")
  StartPoint from = new StartPoint.Beginning();

  @Option(
      names = "--partition",
      paramLabel = "N",
      split = ",",
      description = "Only these partitions; may be repeated.")
  List<Integer> partitions = new ArrayList<>();

  @Option(names = "--max", paramLabel = "N", description = "Stop after so many records.")
  @Nullable Long max;

  @Option(names = "--follow", description = "Wait for more at the end.")
  boolean follow;

  @Option(
      names = "--format",
      paramLabel = "TEMPLATE",
      description = "How to print a record ('%%v\\n'): " + RecordFormat.LEGEND + ".")
  @Nullable String format;

  @Option(names = "--raw", description = "Print the values and nothing else, not even line feeds.")
  boolean raw;

  @Mixin OutputOption output;
  @Mixin BrokerOption broker;
  @Spec CommandSpec spec;

  private long printed;

  @Override
  public Integer call() throws IOException {
    RecordFormat layout = layout();
    if (max != null && max < 0) {
      throw wrong("--max is %d, must be 0 or more".formatted(max));
    }
    ConsumerSettings settings =
        ConsumerSettings.builder(follow ? broker.patientSettings() : broker.settings())
            .reset(ResetPolicy.FAIL)
            .build();
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    try (Consumer consumer = Consumer.open(settings)) {
      List<TopicPartition> assigned = assigned(consumer.partitionCount(topic));
      // Taken before the first read, so that a busy topic cannot keep the command going.
      Map<TopicPartition, Long> ends = follow ? Map.of() : consumer.endOffsets(assigned);
      if (from instanceof StartPoint.Offset(long offset)) {
        checkStart(
            offset,
            consumer.beginningOffsets(assigned),
            follow ? consumer.endOffsets(assigned) : ends);
      }
      consumer.assign(assigned);
      assigned.forEach(partition -> seek(consumer, partition));
      run(consumer, ends, layout, out);
    }
    return 0;
  }

  private void run(
      Consumer consumer, Map<TopicPartition, Long> ends, RecordFormat layout, OutputStream out)
      throws IOException {
    try {
      while (!isDone(consumer, ends)) {
        for (ConsumerRecord record : consumer.poll(POLL)) {
          if (isWanted(record, ends)) {
            layout.write(record, out);
            printed++;
          }
        }
        out.flush();
      }
    } catch (IOException e) {
      // The reader of a pipe had enough (head, say): nobody is left to be told.
      if (!"Broken pipe".equals(e.getMessage())) {
        throw e;
      }
    } catch (RuntimeException e) {
      // What was read before the failure is printed before it is told.
      out.flush();
      throw e;
    }
  }

  private boolean isWanted(ConsumerRecord record, Map<TopicPartition, Long> ends) {
    Long end = ends.get(record.source());
    return (max == null || printed < max) && (end == null || record.offset() < end);
  }

  private boolean isDone(Consumer consumer, Map<TopicPartition, Long> ends) {
    if (max != null && printed >= max) {
      return true;
    }
    return !follow
        && ends.entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private static void checkStart(
      long offset, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> highWatermarks)
      throws IOException {
    for (Map.Entry<TopicPartition, Long> end : highWatermarks.entrySet()) {
      long start = starts.getOrDefault(end.getKey(), 0L);
      if (offset < start || offset > end.getValue()) {
        throw new IOException(
            "--from is %d, %s has offsets %d to %d"
                .formatted(offset, end.getKey(), start, end.getValue()));
      }
    }
  }

  private void seek(Consumer consumer, TopicPartition partition) {
    switch (from) {
      case StartPoint.Beginning() -> consumer.seekToBeginning(List.of(partition));
      case StartPoint.End() -> consumer.seekToEnd(List.of(partition));
      case StartPoint.Offset(long offset) -> consumer.seek(partition, offset);
      case StartPoint.Time(long timestampMs) -> consumer.seekToTime(partition, timestampMs);
    }
  }

  private List<TopicPartition> assigned(int count) {
    List<TopicPartition> assigned = new ArrayList<>();
    if (partitions.isEmpty()) {
      for (int i = 0; i < count; i++) {
        assigned.add(new TopicPartition(topic, i));
      }
    }
    for (int number : partitions) {
      if (number < 0 || number >= count) {
        throw wrong("--partition is %d, %s has 0 … %d".formatted(number, topic, count - 1));
      }
      assigned.add(new TopicPartition(topic, number));
    }
    return assigned;
  }

  private RecordFormat layout() {
    if ((raw ? 1 : 0) + (format == null ? 0 : 1) + (output.isJson() ? 1 : 0) > 1) {
      throw wrong("--raw, --format and --output json exclude each other");
    }
    if (raw) {
      return RecordFormat.raw();
    }
    if (output.isJson()) {
      return RecordFormat.json();
    }
    try {
      return RecordFormat.of(format == null ? "%v\\n" : format);
    } catch (IllegalArgumentException e) {
      throw wrong("--format: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
