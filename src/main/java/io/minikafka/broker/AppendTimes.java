package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.AppendTimeLookup.Found;
import io.minikafka.partition.Partition;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the oldest unread records were appended, remembered: so that who looks at a group that
 * stands still does not read the disk again and again.
 *
 * <p>What was found holds as long as the log is not cut, which its epoch tells; in a compacted log
 * the record may be gone after a while, so there it is looked for again after {@link #HOLDS_S}.
 *
 * <p>Any thread; a lookup may block. Bounded: of more than {@link #MAX} the one that was asked for
 * longest ago is forgotten.
 */
final class AppendTimes {
  /** About 8 MiB. */
  static final int MAX = 50_000;

  static final long HOLDS_S = 30;

  private static final System.Logger LOG = System.getLogger(AppendTimes.class.getName());

  private final LongSupplier nanoTime;

  /** Guarded by itself. */
  private final LinkedHashMap<Key, Known> known = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(String group, PartitionId partition) {}

  /**
   * @param offset from which on it was looked for
   */
  private record Known(int epoch, long offset, Found found, long atNanos) {}

  /**
   * @param nanoTime monotonic
   */
  AppendTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** What is remembered of the first record at or behind the offset; never blocks. */
  @Nullable Found known(String group, Partition partition, long offset) {
    Known entry;
    synchronized (known) {
      entry = known.get(new Key(group, partition.id()));
    }
    if (entry == null
        || entry.offset != offset
        || entry.epoch != partition.snapshot().epoch()
        || (partition.settings().store().cleanup().compacts() && isOld(entry))) {
      return null;
    }
    return entry.found;
  }

  private boolean isOld(Known entry) {
    return nanoTime.getAsLong() - entry.atNanos > TimeUnit.SECONDS.toNanos(HOLDS_S);
  }

  /** Looks for the first record at or behind the offset; may block. */
  AppendTimeLookup find(String group, Partition partition, long offset) {
    int epoch = partition.snapshot().epoch();
    AppendTimeLookup lookup;
    try {
      lookup = partition.appendTime(offset);
    } catch (IOException e) {
      // Whoever reads there meets the same and is told; here it is one number that is missing.
      LOG.log(System.Logger.Level.DEBUG, () -> "append time in " + partition.id(), e);
      return new AppendTimeLookup.Unknown();
    }
    if (lookup instanceof Found found) {
      synchronized (known) {
        known.put(
            new Key(group, partition.id()), new Known(epoch, offset, found, nanoTime.getAsLong()));
        if (known.size() > MAX) {
          known.remove(known.keySet().iterator().next());
        }
      }
    }
    return lookup;
  }

  /** How many are remembered. */
  int size() {
    synchronized (known) {
      return known.size();
    }
  }
}
