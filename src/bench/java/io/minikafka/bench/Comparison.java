package io.minikafka.bench;

import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * minikafka beside Apache Kafka, on one machine, in alternation, through both Java clients, at the
 * same durability and the same bytes in a batch. Rows as {@code minikafka bench} writes them: first
 * Kafka's, then ours with the ratio of both. One thread. The brokers are its caller's to close.
 */
final class Comparison {
  /** Of the bytes a repetition reads, so many are in the partition. */
  static final int PARTS_OF_A_REPETITION = 4;

  private static final int FETCH_BYTES = 1 << 20;
  private static final int IN_FLIGHT = 5;
  private static final int DURABLE_PRODUCERS = 16;
  private static final int RATE_PER_S = 10_000;

  private final Effort effort;
  private final Conditions conditions;
  private final InstantSource clock;
  private final RowFile rows;
  private final Floors floors;
  private final List<Side> sides;

  Comparison(
      Effort effort,
      Conditions conditions,
      InstantSource clock,
      RowFile rows,
      Floors floors,
      Side ours,
      Side kafka) {
    this.effort = effort;
    this.conditions = conditions;
    this.clock = clock;
    this.rows = rows;
    this.floors = floors;
    this.sides = List.of(kafka, ours);
  }

  /** What is compared. */
  static List<Point> points() {
    return List.of(
        produce(100, 1_000),
        produce(1_000, 125),
        new Point.Consume(ClientKind.API, 100, FETCH_BYTES, 1, false),
        new Point.Consume(ClientKind.API, 1_000, FETCH_BYTES, 1, false),
        new Point.Latency(RATE_PER_S, new ProduceShape(100, 1, IN_FLIGHT), Policy.NONE),
        durable(DURABLE_PRODUCERS, 1),
        durable(DURABLE_PRODUCERS, DURABLE_PRODUCERS));
  }

  private static Point produce(int recordBytes, int batchRecords) {
    ProduceShape shape = new ProduceShape(recordBytes, batchRecords, IN_FLIGHT);
    return Point.Produce.apart("produce", ClientKind.API, shape, 1, Policy.NONE);
  }

  private static Point durable(int producers, int partitions) {
    ProduceShape shape = new ProduceShape(100, 1, 1);
    return new Point.Produce("flush", ClientKind.API, shape, producers, partitions, Policy.COMMIT);
  }

  void run() throws IOException, InterruptedException {
    for (Point point : points()) {
      System.err.println(point.inWords());
      if (point.floor().isPresent() && floors.known(point.floor().get()).isEmpty()) {
        Writeback.finish();
        write(floors.measure(point.floor().get()));
      }
      switch (point) {
        case Point.Produce produce ->
            compare(produce, Alternation.ofProducers(produce, sides, effort));
        case Point.Consume consume -> consume(consume);
        case Point.Latency latency -> latency(latency);
        case Point.Floor _, Point.Idle _, Point.Parked _, Point.Tail _, Point.Start _ ->
            throw new AssertionError(point);
      }
      for (Side side : sides) {
        side.removeTopics();
      }
    }
    for (Side side : sides) {
      write(process(side));
    }
  }

  private void consume(Point.Consume point) throws IOException, InterruptedException {
    List<Crew> crews = new ArrayList<>();
    for (Side side : sides) {
      crews.add(side.consumers(point, effort));
    }
    compare(point, Alternation.of(crews, sides, effort));
    for (Crew crew : crews) {
      crew.close();
    }
  }

  private void compare(Point point, List<Tally> tallies) throws IOException {
    List<Throughput> results = tallies.stream().map(Tally::throughput).toList();
    double kafkaRate = results.getFirst().spread(Work::recordsPerSecond).median();
    for (int i = 0; i < sides.size(); i++) {
      Row.Builder row = point.row().text(Column.SYSTEM, sides.get(i).system());
      Throughput result = results.get(i);
      result.fill(row);
      row.text(Column.DURABILITY, tallies.get(i).durability());
      point
          .floor()
          .flatMap(floors::known)
          .ifPresent(floor -> floor.compareRate(row, result.wireMbPerSecond()));
      if (i > 0) {
        row.measured(
            Column.KAFKA_RATIO, result.spread(Work::recordsPerSecond).median() / kafkaRate);
      }
      write(row.build());
    }
  }

  private void latency(Point.Latency point) throws IOException, InterruptedException {
    List<LatencyTally> tallies = List.of(new LatencyTally(), new LatencyTally());
    for (Side side : sides) {
      WarmPipe.run(side.pipe(point), point.shape(), effort);
    }
    for (int rep = 0; rep < effort.reps(); rep++) {
      for (int i = 0; i < sides.size(); i++) {
        try (Pipe pipe = sides.get(i).pipe(point)) {
          LatencyRun run = new LatencyRun(pipe, point.shape());
          run.run(point.recordsPerSecond(), effort.warmUpNanos(), effort.latencyNanos());
          tallies.get(i).add(run);
        }
      }
    }
    Latencies kafka = tallies.getFirst().scheduled();
    for (int i = 0; i < sides.size(); i++) {
      Latencies scheduled = tallies.get(i).scheduled();
      Row.Builder row =
          point.row().text(Column.SYSTEM, sides.get(i).system()).count(Column.REPS, effort.reps());
      tallies.get(i).fill(row);
      point.floor().flatMap(floors::known).ifPresent(floor -> floor.compareLatency(row, scheduled));
      if (i > 0) {
        row.measured(Column.KAFKA_RATIO, scheduled.percentileUs(50) / kafka.percentileUs(50))
            .measured(Column.KAFKA_P99_RATIO, scheduled.percentileUs(99) / kafka.percentileUs(99));
      }
      write(row.build());
    }
  }

  /** After the run: memory, and how long the start took. */
  private static Row process(Side side) {
    Row.Builder row =
        Row.builder()
            .text(Column.EXPERIMENT, "process")
            .text(Column.SYSTEM, side.system())
            .measured(Column.READY_MS, side.readyNanos() / 1e6);
    ProcessRow.fill(row, new LinuxProcess(side.handle().pid()));
    return row.build();
  }

  private void write(Row row) throws IOException {
    rows.write(conditions.complete(row, clock.instant().truncatedTo(ChronoUnit.MILLIS).toString()));
  }
}
