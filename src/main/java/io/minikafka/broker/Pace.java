package io.minikafka.broker;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps something to so much a second, by saying how long to wait after each piece. What was not
 * used is not saved up beyond {@link #SPARE_NANOS}. One thread at a time.
 */
final class Pace {
  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final LongSupplier nanoTime;
  private final long perSecond;

  /** When all that was done so far should have been done. */
  private long dueNanos;

  /**
   * @param perSecond 0 for no bound
   */
  Pace(LongSupplier nanoTime, long perSecond) {
    this.nanoTime = nanoTime;
    this.perSecond = perSecond;
    this.dueNanos = nanoTime.getAsLong();
  }

  /**
   * @return how long to wait before the next piece; 0 or less to go on at once
   */
  long after(long done) {
    if (perSecond == 0) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    dueNanos = Math.max(dueNanos, now - SPARE_NANOS);
    dueNanos += (long) ((double) done / perSecond * TimeUnit.SECONDS.toNanos(1));
    return dueNanos - now;
  }
}
