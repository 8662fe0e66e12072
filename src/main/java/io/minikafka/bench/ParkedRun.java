package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The CPU of a broker that has nothing to do, without and with fetches that wait for records, in
 * alternation. Stateless.
 */
final class ParkedRun {
  private static final int FETCH_BYTES = 64 << 10;

  /** No fetch ends while it is measured. */
  private static final int MAX_WAIT_MS = 60_000;

  /** A latency's time is for this many windows. */
  private static final int WINDOWS = 4;

  private static final long PAUSE_NANOS = 1_000_000_000;

  private static final int PARKED_LIMIT_S = 30;

  private ParkedRun() {}

  static List<Row.Builder> measure(Point.Parked point, Topics topics, Effort effort, Target target)
      throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(1, Policy.NONE);
    long windowNanos = effort.latencyNanos() / WINDOWS;
    List<Double> alone = new ArrayList<>();
    List<Double> parked = new ArrayList<>();
    for (int rep = 0; rep < effort.reps(); rep++) {
      busyMsPerSecond(target, windowNanos).ifPresent(alone::add);
      try (IdleConnections connections = new IdleConnections(target.data())) {
        connections.open(point.fetches());
        connections.write(RawConsume.request(lanes.getFirst(), 0, FETCH_BYTES, MAX_WAIT_MS));
        awaitParked(target, point.fetches());
        busyMsPerSecond(target, windowNanos).ifPresent(parked::add);
      }
    }
    topics.remove(lanes);
    return List.of(
        row(point, "alone", 0, alone),
        row(point, "%d parked fetches".formatted(point.fetches()), point.fetches(), parked));
  }

  private static void awaitParked(Target target, int fetches)
      throws IOException, InterruptedException {
    for (int i = 0; i < PARKED_LIMIT_S * 10; i++) {
      OptionalDouble parked = target.metric("minikafka_parked_fetches");
      if (parked.isEmpty() || parked.getAsDouble() >= fetches) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new IOException(
        "%d fetches are not parked after %d s".formatted(fetches, PARKED_LIMIT_S));
  }

  /** What went before is over after a pause. */
  private static OptionalDouble busyMsPerSecond(Target target, long nanos)
      throws IOException, InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.min(nanos, PAUSE_NANOS));
    OptionalDouble before = target.runNanos();
    long began = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(nanos);
    OptionalDouble after = target.runNanos();
    long took = System.nanoTime() - began;
    return before.isPresent() && after.isPresent()
        ? OptionalDouble.of((after.getAsDouble() - before.getAsDouble()) / 1e6 / (took / 1e9))
        : OptionalDouble.empty();
  }

  private static Row.Builder row(
      Point.Parked point, String variant, int connections, List<Double> msPerSecond) {
    Row.Builder row =
        point
            .row()
            .text(Column.VARIANT, variant)
            .count(Column.IDLE_CONNECTIONS, connections)
            .count(Column.REPS, msPerSecond.size());
    if (!msPerSecond.isEmpty()) {
      double[] all = msPerSecond.stream().mapToDouble(Double::doubleValue).toArray();
      row.measured(Column.BROKER_CPU_MS_PER_S, Spread.of(all).median());
    }
    return row;
  }
}
