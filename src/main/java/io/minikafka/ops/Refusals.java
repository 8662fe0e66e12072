package io.minikafka.ops;

import io.minikafka.PartitionId;
import io.minikafka.Timers;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Says in the log that there is no room: the first refusal at once, those that follow as a count
 * each {@link #INTERVAL_S} seconds, until there were none in one.
 *
 * <p>Any thread; never blocks.
 */
final class Refusals {
  static final int INTERVAL_S = 10;

  private final System.Logger log;
  private final Timers timers;
  private final Function<PartitionId, String> names;

  // Guarded by this.
  private boolean counting;
  private long count;
  private String lastPartition = "";

  Refusals(System.Logger log, Timers timers, Function<PartitionId, String> names) {
    this.log = log;
    this.timers = timers;
    this.names = names;
  }

  void refused(PartitionId partition, String reason) {
    String name = names.apply(partition);
    synchronized (this) {
      if (counting) {
        count++;
        lastPartition = name;
        return;
      }
      counting = true;
    }
    log.log(
        Level.WARNING,
        () ->
            "no room to append to partition %s: %s; more such refusals are counted, and told each %d s"
                .formatted(name, reason, INTERVAL_S));
    countOn();
  }

  private void countOn() {
    timers.after(TimeUnit.SECONDS.toNanos(INTERVAL_S), this::tell);
  }

  private void tell() {
    long counted;
    String name;
    synchronized (this) {
      counted = count;
      name = lastPartition;
      count = 0;
      counting = counted > 0;
    }
    if (counted > 0) {
      log.log(
          Level.WARNING,
          () ->
              "no room: %d more appends were refused within %d s, the last to partition %s"
                  .formatted(counted, INTERVAL_S, name));
      countOn();
    }
  }
}
