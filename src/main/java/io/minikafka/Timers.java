package io.minikafka;

/**
 * Runs work later, on the monotonic clock. The one way anything below {@code app} waits: the
 * application backs it with one thread, tests with a clock they move by hand.
 *
 * <p>Safe from any thread. The work runs on the timer's thread and must be short and never block;
 * hand longer work to an executor.
 */
public interface Timers {
  /** Monotonic nanoseconds, comparable only with each other; never the wall clock. */
  long nanoTime();

  /**
   * Runs {@code work} once, not earlier than {@code delayNanos} from now.
   *
   * @param delayNanos 0 or more
   */
  Timer after(long delayNanos, Runnable work);

  /** Work that waits for its time. */
  interface Timer {
    /** Prevents the work if it has not begun; otherwise does nothing. */
    void cancel();
  }
}
