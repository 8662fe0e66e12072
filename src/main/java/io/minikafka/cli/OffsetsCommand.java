package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.TopicPartition;
import io.minikafka.client.Admin;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows where the partitions of a topic begin and end, and how far a group has come. */
@Command(
    name = "offsets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows where the partitions of a topic begin and end, and how far a group has come.",
    footer = {
      "",
      "START is the first offset that can be read, HIGH-WATERMARK the one behind the last. COMMITTED"
          + " is the next the group reads; LAG is how many are left, from there or from START if that"
          + " is higher, DELETED how many went unread before START. - where it has committed nothing.",
      "",
      "Examples:",
      "  minikafka offsets access",
      "  minikafka offsets orders --group billing",
      "  minikafka offsets access 0 --time 15m",
      "  minikafka offsets access --time 2026-01-31T12:00:00Z --output json"
    })
final class OffsetsCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TOPIC", description = "Which topic; it must exist.")
  String topic = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PARTITION",
      converter = WholeNumber.Partition.class,
      description = "Which partition of it (all of them).")
  @Nullable Integer partition;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "Show the first offset that is not older, too (2026-01-31T12:00:00Z;"
              + " 1h30m: so long ago).")
  @Nullable Instant time;

  @Option(
      names = "--group",
      paramLabel = "G",
      description = "Show what this group has committed, too, and how far it is behind.")
  @Nullable String group;

  @Mixin OutputOption output;
  @Mixin BrokerOption broker;
  @Spec CommandSpec spec;

  private record Row(
      int partition, long start, long highWatermark, OptionalLong atTime, OptionalLong committed) {

    long records() {
      return highWatermark - start;
    }

    OptionalLong lag() {
      return committed.isPresent()
          ? OptionalLong.of(Math.max(0, highWatermark - Math.max(committed.getAsLong(), start)))
          : OptionalLong.empty();
    }

    /** What of the group's was deleted before it read it. */
    OptionalLong deletedUnread() {
      return committed.isPresent()
          ? OptionalLong.of(Math.max(0, start - committed.getAsLong()))
          : OptionalLong.empty();
    }
  }

  @Override
  public Integer call() throws IOException {
    OptionalLong timestampMs = timestampMs();
    List<Row> rows;
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(broker.settings()).build())) {
      List<TopicPartition> partitions = partitions(consumer.partitionCount(topic));
      Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
      // Asked for before the ends: so no lag is smaller than it was.
      Map<TopicPartition, CommittedOffset> committed = committed();
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
                              : OptionalLong.empty(),
                          offset(committed.get(partition))))
              .toList();
    }
    if (output.isJson()) {
      printJson(rows);
    } else {
      print(rows);
    }
    if (group != null && rows.stream().allMatch(row -> row.committed.isEmpty())) {
      spec.commandLine()
          .getErr()
          .println("group %s has committed no offsets of %s".formatted(group, topic));
    }
    return 0;
  }

  private Map<TopicPartition, CommittedOffset> committed() {
    if (group == null) {
      return Map.of();
    }
    try (Admin admin = Admin.open(broker.settings())) {
      return admin.committedOffsets(group, topic);
    }
  }

  private static OptionalLong offset(@Nullable CommittedOffset committed) {
    return committed == null ? OptionalLong.empty() : OptionalLong.of(committed.offset());
  }

  private OptionalLong timestampMs() {
    if (time == null) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(time.toEpochMilli());
  }

  private List<TopicPartition> partitions(int count) throws IOException {
    if (partition == null) {
      return IntStream.range(0, count)
          .mapToObj(number -> new TopicPartition(topic, number))
          .toList();
    }
    if (partition >= count) {
      throw new IOException("%s has partitions 0 … %d".formatted(topic, count - 1));
    }
    return List.of(new TopicPartition(topic, partition));
  }

  private void print(List<Row> rows) {
    List<String> headings =
        new ArrayList<>(List.of("PARTITION", "START", "HIGH-WATERMARK", "RECORDS"));
    if (time != null) {
      headings.add("AT-TIME");
    }
    if (group != null) {
      headings.addAll(List.of("COMMITTED", "LAG", "DELETED"));
    }
    Table table = new Table(headings.toArray(String[]::new));
    for (Row row : rows) {
      List<Object> cells =
          new ArrayList<>(List.of(row.partition, row.start, row.highWatermark, row.records()));
      if (time != null) {
        cells.add(text(row.atTime));
      }
      if (group != null) {
        cells.add(text(row.committed));
        cells.add(text(row.lag()));
        cells.add(text(row.deletedUnread()));
      }
      table.row(cells.toArray());
    }
    table.print(spec.commandLine().getOut());
  }

  private static String text(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "-";
  }

  private void printJson(List<Row> rows) throws IOException {
    PrintStream out = System.out;
    for (Row row : rows) {
      Json.line(
          out,
          json -> {
            json.writeStringField("topic", topic);
            json.writeNumberField("partition", row.partition);
            json.writeNumberField("logStartOffset", row.start);
            json.writeNumberField("highWatermark", row.highWatermark);
            json.writeNumberField("recordCount", row.records());
            if (time != null) {
              write(json, "offsetAtTime", row.atTime);
            }
            if (group != null) {
              write(json, "committedOffset", row.committed);
              write(json, "lagRecords", row.lag());
              write(json, "deletedUnreadRecords", row.deletedUnread());
            }
          });
    }
    out.flush();
  }

  private static void write(JsonGenerator json, String name, OptionalLong number)
      throws IOException {
    if (number.isPresent()) {
      json.writeNumberField(name, number.getAsLong());
    }
  }
}
