package io.minikafka.broker;

import io.minikafka.partition.Partition;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fetches that wait for records, by partition. Bounded.
 *
 * <p>Nothing is lost: a fetch is entered here before it looks at its partitions for the last time
 * before it waits, and a partition makes records visible before it calls {@link #wake}. Whichever
 * comes second sees the other. While nobody waits, waking is one volatile read.
 *
 * <p>Any thread.
 */
public final class ParkedFetches {
  private final int limit;
  private final AtomicInteger parked = new AtomicInteger();

  /** Sets are never empty; they change only inside the map's atomic operations. */
  private final Map<Partition, Set<FetchRun<?>>> byPartition = new ConcurrentHashMap<>();

  private volatile boolean stopped;

  public ParkedFetches(int limit) {
    this.limit = limit;
  }

  /** Records of the partition became visible. */
  public void wake(Partition partition) {
    if (parked.get() > 0) {
      waiting(partition).forEach(FetchRun::wake);
    }
  }

  /** The partition is gone, or cannot be read any more: the answers say so. */
  public void wakeForGood(Partition partition) {
    waiting(partition).forEach(FetchRun::finish);
  }

  /** Answers all that wait with what is there, and lets nothing wait any more: the broker stops. */
  public void stop() {
    stopped = true;
    byPartition.values().forEach(fetches -> fetches.forEach(FetchRun::finish));
  }

  /** Fetches that wait now. */
  public int count() {
    return parked.get();
  }

  int limit() {
    return limit;
  }

  /**
   * @return false, and nothing was done, if as many wait as may
   */
  boolean park(FetchRun<?> fetch) {
    if (parked.incrementAndGet() > limit) {
      parked.decrementAndGet();
      return false;
    }
    for (Partition partition : fetch.watched()) {
      byPartition.compute(
          partition,
          (key, fetches) -> {
            Set<FetchRun<?>> grown = fetches == null ? ConcurrentHashMap.newKeySet() : fetches;
            grown.add(fetch);
            return grown;
          });
    }
    if (stopped) {
      fetch.finish();
    }
    return true;
  }

  void unpark(FetchRun<?> fetch) {
    for (Partition partition : fetch.watched()) {
      byPartition.computeIfPresent(
          partition,
          (key, fetches) -> {
            fetches.remove(fetch);
            return fetches.isEmpty() ? null : fetches;
          });
    }
    parked.decrementAndGet();
  }

  private Set<FetchRun<?>> waiting(Partition partition) {
    return byPartition.getOrDefault(partition, Set.of());
  }
}
