package io.minikafka.bench;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The lines that matter: every figure a release has to reach. Of several runs the first that has
 * the rows of a line tells it. Stateless.
 */
final class Lines {
  private static final double SOURCE_MB_PER_S = 3_500;
  private static final double MEBIBYTE = 1 << 20;

  private Lines() {}

  static final List<Line> ALL =
      List.of(
          Line.atLeast(
              "produce 100 B × 1000, five in flight, to its sink",
              0.8,
              0.65,
              rows -> of(rows, raw(100, 1_000, 5), Column.FLOOR_RATIO)),
          Line.atLeast(
              "produce 100 B × 1000, one in flight, to its sink",
              1,
              0.8,
              rows -> of(rows, raw(100, 1_000, 1), Column.FLOOR_RATIO)),
          Line.atLeast(
              "produce 1 KB × 1000, five in flight, to its sink",
              1,
              0.8,
              rows -> of(rows, raw(1_000, 1_000, 5), Column.FLOOR_RATIO)),
          Line.atLeast(
              "produce 1 KB × 1000, one in flight, to its sink",
              1,
              0.8,
              rows -> of(rows, raw(1_000, 1_000, 1), Column.FLOOR_RATIO)),
          Line.atLeast(
              "consume 1 KB at 1 MiB, to its source",
              0.5,
              0.35,
              rows -> of(rows, rawConsume(1_000), Column.FLOOR_RATIO)),
          Line.atLeast(
                  "consume 100 B at 1 MiB, where a source does 3.5 GB/s",
                  10,
                  7,
                  Lines::consumedAtTheSource)
              .in(" M records/s"),
          Line.atMost(
              "produce to consume, p50 at 10,000/s, to the ping",
              1.3,
              1.6,
              rows -> of(rows, latency(10_000), Column.FLOOR_RATIO)),
          Line.atMost(
              "produce to consume, p99 at 10,000/s, to the ping",
              2,
              3,
              rows -> of(rows, latency(10_000), Column.FLOOR_P99_RATIO)),
          kafkaAtLeast("produce 100 B, to Kafka", 3, is(Column.EXPERIMENT, "produce").and(is(100))),
          kafkaAtLeast(
              "produce 1 KB, to Kafka", 3, is(Column.EXPERIMENT, "produce").and(is(1_000))),
          kafkaAtLeast("consume 100 B, to Kafka", 2, is(Column.EXPERIMENT, "consume").and(is(100))),
          kafkaAtLeast(
              "consume 1 KB, to Kafka", 2, is(Column.EXPERIMENT, "consume").and(is(1_000))),
          Line.atMost(
              "end to end, p50 at 10,000/s, to Kafka",
              0.333,
              0.333,
              rows -> of(rows, latency(10_000), Column.KAFKA_RATIO)),
          Line.atMost(
              "end to end, p99 at 10,000/s, to Kafka",
              0.333,
              0.333,
              rows -> of(rows, latency(10_000), Column.KAFKA_P99_RATIO)),
          kafkaAtLeast(
              "durable single records, 16 producers, to Kafka",
              5,
              is(Column.EXPERIMENT, "flush").and(is(Column.PARTITIONS, 1))),
          Line.atMost(
              "start until ready, to Kafka", 0.25, 0.25, rows -> processes(rows, Column.READY_MS)),
          Line.atMost(
              "resident memory after the run, to Kafka",
              0.333,
              0.333,
              rows -> processes(rows, Column.BROKER_RSS_MB)),
          Line.atLeast(
              "batch 1 with 64 in flight, to one in flight",
              15,
              10,
              rows -> ratio(rows, raw(100, 1, 64), raw(100, 1, 1), Column.RECORDS_PER_S)),
          Line.atLeast(
              "single records under commit, 16 producers to one",
              8,
              8,
              rows ->
                  ratio(
                      rows,
                      durable(16).and(is(Column.PARTITIONS, 1)),
                      durable(1),
                      Column.RECORDS_PER_S)),
          Line.atMost(
              "p99 at the tail at 1,000/s beside a cold reader, to without",
              2,
              2,
              rows -> of(rows, is(Column.EXPERIMENT, "tail"), Column.PEER_P99_RATIO)),
          Line.atMost(
                  "allocation in the broker, produce 100 B × 1000",
                  4,
                  4,
                  rows -> of(rows, raw(100, 1_000, 5), Column.BROKER_ALLOCATED_BYTES))
              .in(" B/record"),
          Line.atMost(
                  "allocation in the broker, fetch of 100 B at 1 MiB",
                  4,
                  4,
                  rows -> of(rows, rawConsume(100), Column.BROKER_ALLOCATED_BYTES))
              .in(" B/record"),
          Line.atMost(
                  "resident memory at most, whole run with -Xmx128m", 300, 300, Lines::smallPeakMib)
              .in(" MiB"),
          Line.atLeast(
              "100 busy connections beside idle ones, to without",
              0.9,
              0.9,
              rows -> of(rows, is(Column.EXPERIMENT, "idle"), Column.PEER_RATIO)),
          Line.atMost(
                  "memory of an idle connection",
                  20,
                  20,
                  rows -> of(rows, is(Column.EXPERIMENT, "idle"), Column.KIB_PER_CONNECTION))
              .in(" KiB"),
          Line.atMost(
              "start with an AOT cache, to without",
              0.6,
              0.6,
              rows -> of(rows, is(Column.VARIANT, "AOT cache"), Column.PEER_RATIO)),
          Line.atMost(
                  "start with an AOT cache, best",
                  1_000,
                  1_000,
                  rows -> of(rows, is(Column.VARIANT, "AOT cache"), Column.READY_MS_MIN))
              .in(" ms"));

  private static Line kafkaAtLeast(String inWords, double times, Predicate<Row> row) {
    return Line.atLeast(inWords, times, times, rows -> of(rows, row, Column.KAFKA_RATIO));
  }

  private static Predicate<Row> is(Column column, String text) {
    return row -> row.text(column).equals(text);
  }

  private static Predicate<Row> is(Column column, int count) {
    return is(column, Integer.toString(count));
  }

  private static Predicate<Row> is(int recordBytes) {
    return is(Column.RECORD_BYTES, recordBytes);
  }

  private static Predicate<Row> raw(int recordBytes, int batchRecords, int inFlight) {
    return is(Column.EXPERIMENT, "produce")
        .and(is(Column.CLIENT, "raw"))
        .and(is(recordBytes))
        .and(is(Column.BATCH_RECORDS, batchRecords))
        .and(is(Column.IN_FLIGHT, inFlight))
        .and(is(Column.PRODUCERS, 1));
  }

  private static Predicate<Row> rawConsume(int recordBytes) {
    return is(Column.EXPERIMENT, "consume")
        .and(is(Column.CLIENT, "raw"))
        .and(is(recordBytes))
        .and(is(Column.FETCH_BYTES, 1 << 20))
        .and(is(Column.CONSUMERS, 1));
  }

  private static Predicate<Row> latency(int recordsPerSecond) {
    return is(Column.EXPERIMENT, "latency")
        .and(is(Column.RATE_PER_S, recordsPerSecond))
        .and(is(Column.FLUSH_POLICY, "none"));
  }

  private static Predicate<Row> durable(int producers) {
    return is(Column.EXPERIMENT, "flush")
        .and(is(Column.CLIENT, "raw"))
        .and(is(Column.FLUSH_POLICY, "commit"))
        .and(is(Column.BATCH_RECORDS, 1))
        .and(is(Column.IN_FLIGHT, 1))
        .and(is(Column.PRODUCERS, producers));
  }

  /** Of the first such row of ours that has the figure. */
  private static OptionalDouble of(List<Row> rows, Predicate<Row> which, Column column) {
    return first(rows, which.and(is(Column.SYSTEM, "minikafka")), column);
  }

  private static OptionalDouble first(List<Row> rows, Predicate<Row> which, Column column) {
    return rows.stream()
        .filter(which)
        .flatMapToDouble(row -> row.number(column).stream())
        .findFirst();
  }

  private static OptionalDouble ratio(
      List<Row> rows, Predicate<Row> above, Predicate<Row> below, Column column) {
    return ratio(of(rows, above, column), of(rows, below, column));
  }

  private static OptionalDouble ratio(OptionalDouble above, OptionalDouble below) {
    return above.isPresent() && below.isPresent()
        ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Of the run that has both. */
  private static OptionalDouble processes(List<Row> rows, Column column) {
    Predicate<Row> process = is(Column.EXPERIMENT, "process");
    Predicate<Row> kafka = process.and(is(Column.SYSTEM, "kafka"));
    String run =
        rows.stream().filter(kafka).map(row -> row.text(Column.RUN)).findFirst().orElse("");
    return ratio(
        of(rows, process.and(is(Column.RUN, run)), column),
        first(rows, kafka.and(is(Column.RUN, run)), column));
  }

  private static OptionalDouble consumedAtTheSource(List<Row> rows) {
    OptionalDouble ratio = of(rows, rawConsume(100), Column.FLOOR_RATIO);
    OptionalDouble recordsPerSecond = of(rows, rawConsume(100), Column.RECORDS_PER_S);
    OptionalDouble wire = of(rows, rawConsume(100), Column.WIRE_MB_PER_S);
    OptionalDouble perMegabyte = ratio(recordsPerSecond, wire);
    return ratio.isPresent() && perMegabyte.isPresent()
        ? OptionalDouble.of(ratio.getAsDouble() * SOURCE_MB_PER_S * perMegabyte.getAsDouble() / 1e6)
        : OptionalDouble.empty();
  }

  private static OptionalDouble smallPeakMib(List<Row> rows) {
    Predicate<Row> small =
        is(Column.EXPERIMENT, "process").and(row -> row.text(Column.VARIANT).contains("-Xmx128m"));
    OptionalDouble peak = of(rows, small, Column.BROKER_PEAK_RSS_MB);
    return peak.isPresent() ? OptionalDouble.of(peak.getAsDouble() * 1e6 / MEBIBYTE) : peak;
  }
}
