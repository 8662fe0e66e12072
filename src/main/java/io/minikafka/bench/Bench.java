package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures the points of a plan, one after the other, and hands on each row at once. The floor a
 * point is compared with is measured before it, once in a run; a broker is warmed up at the begin.
 *
 * <p>One thread. A point that fails ends the run: what was measured is written by then.
 */
public final class Bench {
  private final Effort effort;
  private final Conditions conditions;
  private final InstantSource clock;
  private final Output output;
  private final Floors floors;
  private final Optional<Programs> programs;
  private final @Nullable Brokered brokered;

  /** Where the rows go, and who is told how far it is. */
  public interface Output {
    /**
     * @param index of the point, from 0
     */
    void begins(int index, int count, String inWords);

    void row(Row row) throws IOException;

    /** All samples behind a row. */
    void samples(String tag, Latencies latencies) throws IOException;
  }

  /**
   * @param target empty: nothing that needs a broker which runs can be measured
   * @param programs empty: nothing that starts a broker, or another process, can be measured
   * @param directory for the files of the floors: on the file system of the broker's data
   */
  public Bench(
      Effort effort,
      Conditions conditions,
      InstantSource clock,
      Optional<Target> target,
      Optional<Programs> programs,
      Path directory,
      Output output) {
    this.effort = effort;
    this.conditions = conditions;
    this.clock = clock;
    this.output = output;
    this.floors = new Floors(directory, effort);
    this.programs = programs;
    this.brokered = target.map(broker -> new Brokered(broker, effort, clock.millis())).orElse(null);
  }

  public void run(List<Point> points) throws IOException, InterruptedException {
    if (brokered != null) {
      output.begins(0, points.size(), "warming up");
      WarmStart.run(brokered.topics, brokered.client, effort, brokered.target);
    }
    boolean isPipeWarm = false;
    try {
      for (int i = 0; i < points.size(); i++) {
        Point point = points.get(i);
        Optional<FloorKey> floor = point.floor();
        if (floor.isPresent() && floors.known(floor.get()).isEmpty()) {
          output.begins(i, points.size(), new Point.Floor(floor.get()).inWords());
          Writeback.finish();
          write(floors.measure(floor.get()));
        }
        output.begins(i, points.size(), point.inWords());
        if (point instanceof Point.Latency latency && !isPipeWarm) {
          warmPipe(latency.shape(), broker());
          isPipeWarm = true;
        }
        Writeback.finish();
        for (Row row : measure(point)) {
          write(row);
        }
      }
      if (brokered != null && brokered.target.own().isPresent()) {
        output.begins(points.size() - 1, points.size(), "the broker's process");
        write(ProcessRow.of(brokered.target.own().get()));
      }
    } finally {
      if (brokered != null) {
        brokered.consume.close();
      }
    }
  }

  private void warmPipe(ProduceShape shape, Brokered with)
      throws IOException, InterruptedException {
    List<Lane> lanes = with.topics.create(1, Policy.NONE);
    WarmPipe.run(ClientPipe.of(with.client, lanes.getFirst(), shape), shape, effort);
    with.topics.remove(lanes);
  }

  private void write(Row row) throws IOException {
    String now = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    output.row(conditions.complete(row, now));
  }

  private List<Row> measure(Point point) throws IOException, InterruptedException {
    return switch (point) {
      case Point.Floor floor -> List.of(floors.measure(floor.key()));
      case Point.Produce produce -> {
        Brokered with = broker();
        Row.Builder row =
            ProduceRun.measure(produce, with.topics, with.client, effort, with.target);
        yield List.of(compared(produce, row));
      }
      case Point.Consume consume -> List.of(compared(consume, broker().consume.measure(consume)));
      case Point.Latency latency -> List.of(latency(latency, broker()));
      case Point.Idle idle -> alone().idle(idle);
      case Point.Parked parked -> alone().parked(parked);
      case Point.Tail tail -> alone().tail(tail);
      case Point.Start start ->
          built(StartRun.measure(start, startable(), effort.warmUpNanos() > 0));
    };
  }

  private Row compared(Point point, Row.Builder row) {
    double wireMbPerSecond = row.build().number(Column.WIRE_MB_PER_S).orElse(Double.NaN);
    floorOf(point).ifPresent(floor -> floor.compareRate(row, wireMbPerSecond));
    return row.build();
  }

  private Row latency(Point.Latency point, Brokered with) throws IOException, InterruptedException {
    LatencyResult result =
        LatencyResult.measure(point, with.topics, with.client, effort, with.target);
    floorOf(point).ifPresent(floor -> floor.compareLatency(result.row(), result.scheduled()));
    String tag =
        "%d-per-s-batch-%d-%s"
            .formatted(
                point.recordsPerSecond(), point.shape().batchRecords(), point.policy().title());
    output.samples(tag + "-scheduled", result.scheduled());
    output.samples(tag + "-sent", result.sent());
    output.samples(tag + "-ack", result.acknowledged());
    return result.row().build();
  }

  private Alone alone() {
    return new Alone(
        effort, clock, output, Optional.ofNullable(brokered).map(with -> with.target), programs);
  }

  private Programs startable() {
    return programs.orElseThrow(
        () -> new IllegalStateException("this point needs a program to start"));
  }

  static List<Row> built(List<Row.Builder> rows) {
    return rows.stream().map(Row.Builder::build).toList();
  }

  private Optional<FloorResult> floorOf(Point point) {
    return point.floor().flatMap(floors::known);
  }

  private Brokered broker() {
    if (brokered == null) {
      throw new IllegalStateException("this point needs a broker");
    }
    return brokered;
  }

  /** What there is only if there is a broker. */
  private static final class Brokered {
    private final Target target;
    private final ClientSettings client;
    private final Topics topics;
    private final ConsumeRun consume;

    Brokered(Target target, Effort effort, long nowMs) {
      this.target = target;
      this.client = ClientSettings.builder(target.data()).clientName("minikafka-bench").build();
      this.topics = new Topics(target, client, "bench-" + nowMs);
      this.consume = new ConsumeRun(topics, client, effort, target);
    }
  }
}
