package io.minikafka.bench;

import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * When each send is due: at equal distances from a fixed begin, whatever became of the sends before
 * (an open loop). A sender that is held up sends what is overdue at once, and each of those sends
 * keeps the time at which it was due: that is what latency from the schedule counts from, so that a
 * stall is seen by all the records it delayed.
 *
 * @param beginNanos when the first is due
 * @param intervalNanos between two sends
 * @param sends how many
 */
record Schedule(long beginNanos, long intervalNanos, long sends) {
  /** Sends of {@code batchRecords} records each that make so many records a second. */
  static Schedule of(long beginNanos, int recordsPerSecond, int batchRecords, long lengthNanos) {
    long interval = Math.max(1, 1_000_000_000L * batchRecords / recordsPerSecond);
    return new Schedule(beginNanos, interval, Math.max(1, lengthNanos / interval));
  }

  long dueNanos(long send) {
    return beginNanos + send * intervalNanos;
  }

  /**
   * Sends them all, none before it is due.
   *
   * @param clock nanoseconds
   * @param waitUntil returns when the clock has come there, or a little later
   */
  void run(LongSupplier clock, LongConsumer waitUntil, Sender sender)
      throws IOException, InterruptedException {
    for (long i = 0; i < sends; i++) {
      long due = dueNanos(i);
      if (clock.getAsLong() - due < 0) {
        waitUntil.accept(due);
      }
      sender.send(i, due, clock.getAsLong());
    }
  }

  /** Sends one batch. */
  interface Sender {
    /**
     * @param send its ordinal
     * @param sentNanos the clock, now
     */
    void send(long send, long dueNanos, long sentNanos) throws IOException, InterruptedException;
  }
}
