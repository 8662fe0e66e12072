package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows where the partitions of a topic begin and end. */
@Command(
    name = "offsets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows where the partitions of a topic begin and end.",
    footer = {
      "",
      "START is the first offset that can be read, HIGH-WATERMARK the one behind the last.",
      "",
      "Examples:",
      "  minikafka offsets access",
      "  minikafka offsets access --time 2026-01-31T12:00:00Z --output json"
    })
final class OffsetsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TOPIC", description = "Which topic; it must exist.")
  String topic = "";

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = StartPoint.Converter.class,
      description = "Show the first offset that is not older, too (a time, or 90s, 15m, 2h, 7d).")
  @Nullable StartPoint time;

  @Mixin OutputOption output;
  @Mixin BrokerOption broker;
  @Spec CommandSpec spec;

  private record Row(int partition, long start, long highWatermark, OptionalLong atTime) {}

  @Override
  public Integer call() throws IOException {
    OptionalLong timestampMs = timestampMs();
    List<Row> rows;
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(broker.settings()).build())) {
      List<TopicPartition> partitions =
          IntStream.range(0, consumer.partitionCount(topic))
              .mapToObj(number -> new TopicPartition(topic, number))
              .toList();
      Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      rows =
          partitions.stream()
              .map(
                  partition ->
                      new Row(
                          partition.partition(),
                          starts.getOrDefault(partition, 0L),
                          ends.getOrDefault(partition, 0L),
                          timestampMs.isPresent()
                              ? consumer.offsetForTime(partition, timestampMs.getAsLong())
                              : OptionalLong.empty()))
              .toList();
    }
    if (output.isJson()) {
      printJson(rows, timestampMs.isPresent());
    } else {
      print(rows, timestampMs.isPresent());
    }
    return 0;
  }

  private OptionalLong timestampMs() {
    if (time == null) {
      return OptionalLong.empty();
    }
    if (time instanceof StartPoint.Time(long ms)) {
      return OptionalLong.of(ms);
    }
    throw new ParameterException(spec.commandLine(), "--time must be a time or a time ago");
  }

  private void print(List<Row> rows, boolean withTime) {
    Table table =
        withTime
            ? new Table("PARTITION", "START", "HIGH-WATERMARK", "RECORDS", "AT-TIME")
            : new Table("PARTITION", "START", "HIGH-WATERMARK", "RECORDS");
    for (Row row : rows) {
      long records = row.highWatermark - row.start;
      if (withTime) {
        String atTime = row.atTime.isPresent() ? Long.toString(row.atTime.getAsLong()) : "-";
        table.row(row.partition, row.start, row.highWatermark, records, atTime);
      } else {
        table.row(row.partition, row.start, row.highWatermark, records);
      }
    }
    table.print(spec.commandLine().getOut());
  }

  private void printJson(List<Row> rows, boolean withTime) throws IOException {
    PrintStream out = System.out;
    for (Row row : rows) {
      Json.line(
          out,
          json -> {
            json.writeStringField("topic", topic);
            json.writeNumberField("partition", row.partition);
            json.writeNumberField("start", row.start);
            json.writeNumberField("highWatermark", row.highWatermark);
            if (withTime && row.atTime.isPresent()) {
              json.writeNumberField("offsetAtTime", row.atTime.getAsLong());
            } else if (withTime) {
              json.writeNullField("offsetAtTime");
            }
          });
    }
    out.flush();
  }
}
