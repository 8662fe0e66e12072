package io.minikafka.bench;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * How long and how often.
 *
 * @param reps repetitions of a point of throughput
 * @param perRep when a repetition has done enough
 * @param warmUpNanos before the first repetition, and before what is measured of a latency
 * @param latencyNanos that are measured of a latency
 * @param patienceNanos how long the last answers may take
 */
public record Effort(
    int reps, Limit perRep, long warmUpNanos, long latencyNanos, long patienceNanos) {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  public Effort {
    if (reps < 1) {
      throw new IllegalArgumentException("reps %d is below 1".formatted(reps));
    }
  }

  public static Effort of(
      int reps, long nanos, long warmUpNanos, long latencyNanos, long bytesPerRep) {
    return new Effort(
        reps, new Limit(nanos, bytesPerRep), warmUpNanos, latencyNanos, PATIENCE_NANOS);
  }

  /** For whoever reads what came of it. */
  String inWords() {
    return "%d x %d ms, %d MB at most; warm-up %d ms; latencies %d ms"
        .formatted(
            reps,
            NANOSECONDS.toMillis(perRep.nanos()),
            perRep.wireBytes() / 1_000_000,
            NANOSECONDS.toMillis(warmUpNanos),
            NANOSECONDS.toMillis(latencyNanos));
  }

  Effort withoutWarmUp() {
    return new Effort(reps, perRep, 0, latencyNanos, patienceNanos);
  }

  Limit warmUp() {
    return new Limit(warmUpNanos, perRep.wireBytes());
  }
}
