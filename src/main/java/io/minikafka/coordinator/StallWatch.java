package io.minikafka.coordinator;

import io.minikafka.Timers;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the broker itself stood still: the process was stopped, the machine slept, a
 * collection took long. What clients sent meanwhile has not been read, so no session may run out
 * for it.
 *
 * <p>While it watches it looks at the clock every {@link #LOOK_MS}; a look that is late tells.
 * Whoever is about to act on the time asks with {@link #check} first, since the timer may be the
 * last to run again. A stall is told once, whoever notices it.
 *
 * <p>Any thread.
 */
final class StallWatch {
  static final long LOOK_MS = 50;

  /** So late a look may be without meaning anything. */
  static final long TOLERANCE_MS = 50;

  private static final long NEVER = Long.MAX_VALUE;

  private final Timers timers;
  private final LongSupplier nowMs;
  private final LongConsumer stalled;

  /** When the next look is due; written under this. */
  private volatile long dueMs = NEVER;

  /** Guarded by this. */
  private Timers.@Nullable Timer timer;

  /**
   * @param nowMs the monotonic clock of {@code timers}
   * @param stalled told for how many ms; short, never blocks, may be called under a lock
   */
  StallWatch(Timers timers, LongSupplier nowMs, LongConsumer stalled) {
    this.timers = timers;
    this.nowMs = nowMs;
    this.stalled = stalled;
  }

  /** Watches from now on, or no longer. */
  synchronized void watch(boolean on) {
    if (on == (dueMs != NEVER)) {
      return;
    }
    if (on) {
      next();
    } else {
      dueMs = NEVER;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }

  /** Tells if the broker stood still until now. */
  void check() {
    long due = dueMs;
    if (due != NEVER && nowMs.getAsLong() - due > TOLERANCE_MS) {
      tell();
    }
  }

  private synchronized void tell() {
    long now = nowMs.getAsLong();
    long late = now - dueMs;
    if (dueMs != NEVER && late > TOLERANCE_MS) {
      dueMs = now + LOOK_MS;
      stalled.accept(late);
    }
  }

  private synchronized void look() {
    if (dueMs != NEVER) {
      check();
      next();
    }
  }

  private void next() {
    dueMs = nowMs.getAsLong() + LOOK_MS;
    timer = timers.after(TimeUnit.MILLISECONDS.toNanos(LOOK_MS), this::look);
  }
}
