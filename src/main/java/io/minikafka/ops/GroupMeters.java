package io.minikafka.ops;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/** Counts what happens to groups. Any thread; never blocks. */
final class GroupMeters {
  private static final double MS_PER_SECOND = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter commits;
  private final Counter clamped;
  private final Counter expired;
  private final Timer rebalance;
  private final Counter overtaken;
  private final Counter moved;
  private final Counter failures;
  private final Counter stalls;

  private volatile double loadSeconds = Double.NaN;
  private volatile long loadedRecords;

  GroupMeters(Meters meters) {
    commits = meters.counter(MeterNames.COMMITS);
    clamped = meters.counter(MeterNames.COMMITS_CLAMPED);
    expired = meters.counter(MeterNames.COMMITS_EXPIRED);
    rebalance = meters.timer(MeterNames.REBALANCE);
    overtaken = meters.counter(MeterNames.REBALANCES_OVERTAKEN);
    moved = meters.counter(MeterNames.PARTITIONS_MOVED);
    failures = meters.counter(MeterNames.GROUP_FAILURES);
    stalls = meters.counter(MeterNames.GROUP_STALLS);
    meters.gauge(MeterNames.GROUPS_LOAD_SECONDS, () -> loadSeconds);
    meters.gauge(MeterNames.GROUPS_LOADED_RECORDS, () -> loadedRecords);
  }

  void committed(int partitions) {
    commits.increment(partitions);
  }

  void clamped() {
    clamped.increment();
  }

  void expired() {
    expired.increment();
  }

  /**
   * @param durationMs −1 if the next one began before it had ended
   */
  void rebalanced(int partitionsMoved, long durationMs) {
    moved.increment(partitionsMoved);
    if (durationMs < 0) {
      overtaken.increment();
    } else {
      rebalance.record(durationMs, MILLISECONDS);
    }
  }

  void loaded(long records, long nanos) {
    loadedRecords = records;
    loadSeconds = nanos / NANOS_PER_SECOND;
  }

  void failed() {
    failures.increment();
  }

  void stalled(long ms) {
    stalls.increment(ms / MS_PER_SECOND);
  }
}
