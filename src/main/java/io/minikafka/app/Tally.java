package io.minikafka.app;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.broker.BrokerFacts;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Adds up what recovery finds, for the start line. Any thread. */
final class Tally implements EngineObserver {
  private final AtomicLong scannedBytes = new AtomicLong();
  private final AtomicLong cutBytes = new AtomicLong();
  private final AtomicInteger damagedRanges = new AtomicInteger();

  /** NaN as long as recovery is under way. */
  private volatile double seconds = Double.NaN;

  @Override
  public void onRecovered(PartitionId partition, long end, long scanned, long cut, int damaged) {
    scannedBytes.addAndGet(scanned);
    cutBytes.addAndGet(cut);
    damagedRanges.addAndGet(damaged);
  }

  /** The sum, now that recovery is done. */
  Recovery end(int topics, int partitions, long offline, long nanos) {
    seconds = nanos / 1e9;
    return new Recovery(
        topics,
        partitions,
        scannedBytes.get(),
        cutBytes.get(),
        damagedRanges.get(),
        offline,
        seconds);
  }

  double seconds() {
    return seconds;
  }

  /**
   * What a start brought back.
   *
   * @param scannedBytes read and checked; 0 after a clean shutdown
   * @param cutBytes of torn tails
   * @param offline partitions that take no appends
   */
  record Recovery(
      int topics,
      int partitions,
      long scannedBytes,
      long cutBytes,
      int damagedRanges,
      long offline,
      double seconds) {
    /**
     * As what is told of the whole start.
     *
     * @param startNanos how long that took
     */
    BrokerFacts.Start asPartOf(long startNanos) {
      return new BrokerFacts.Start(
          startNanos,
          (long) (seconds * 1e9),
          topics,
          partitions,
          scannedBytes,
          cutBytes,
          damagedRanges,
          (int) offline);
    }
  }
}
