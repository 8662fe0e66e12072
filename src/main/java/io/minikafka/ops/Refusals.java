package io.minikafka.ops;

import io.minikafka.Timers;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;

/**
 * Says in the log that something is refused: the first time at once, those that follow as a count
 * each {@link #INTERVAL_S} seconds, until there were none in one.
 *
 * <p>Any thread; never blocks.
 */
final class Refusals {
  static final int INTERVAL_S = 10;

  private final System.Logger log;
  private final Timers timers;
  private final BinaryOperator<String> first;
  private final BiFunction<Long, String, String> more;

  // Guarded by this.
  private boolean counting;
  private long count;
  private String last = "";

  /**
   * @param first makes the line for the first one of what it was and why
   * @param more the one for those since, of their count and what the last was
   */
  Refusals(
      System.Logger log,
      Timers timers,
      BinaryOperator<String> first,
      BiFunction<Long, String, String> more) {
    this.log = log;
    this.timers = timers;
    this.first = first;
    this.more = more;
  }

  void refused(String what, String why) {
    synchronized (this) {
      if (counting) {
        count++;
        last = what;
        return;
      }
      counting = true;
    }
    log.log(
        Level.WARNING,
        () ->
            "%s; more such refusals are counted, and told each %d s"
                .formatted(first.apply(what, why), INTERVAL_S));
    countOn();
  }

  private void countOn() {
    timers.after(TimeUnit.SECONDS.toNanos(INTERVAL_S), this::tell);
  }

  private void tell() {
    long counted;
    String what;
    synchronized (this) {
      counted = count;
      what = last;
      count = 0;
      counting = counted > 0;
    }
    if (counted > 0) {
      log.log(Level.WARNING, () -> more.apply(counted, what));
      countOn();
    }
  }
}
