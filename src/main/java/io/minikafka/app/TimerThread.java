package io.minikafka.app;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.minikafka.Timers;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@link Timers} on one thread and the machine's monotonic clock.
 *
 * <p>A wait that is the next to end wakes the thread, so that it learns for how long to sleep.
 * Almost every fetch at the end of a log would be such a wait, and be cancelled right after. So
 * while waits come, the thread has a beat of its own: they end behind it and wake nobody. Without
 * new ones it stops.
 *
 * <p>Any thread. What a timer throws is logged and hurts no other. After {@link #stop} nothing runs
 * any more, and new timers are dropped.
 */
final class TimerThread implements Timers {
  private static final System.Logger LOG = System.getLogger(TimerThread.class.getName());

  private static final Timer NEVER = () -> {};

  private static final long BEAT_NANOS = MILLISECONDS.toNanos(50);

  private final ScheduledThreadPoolExecutor thread;

  private final AtomicBoolean beats = new AtomicBoolean();
  private volatile boolean asked;

  TimerThread(ThreadFactory threads) {
    thread = new ScheduledThreadPoolExecutor(1, threads);
    // Most waits are cancelled long before their time, and hold on to what they would have woken.
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Timer after(long delayNanos, Runnable work) {
    try {
      if (delayNanos > BEAT_NANOS) {
        keepBeat();
      }
      ScheduledFuture<?> waiting = thread.schedule(() -> run(work), delayNanos, NANOSECONDS);
      return () -> waiting.cancel(false);
    } catch (RejectedExecutionException stopped) {
      return NEVER;
    }
  }

  void stop() {
    thread.shutdownNow();
  }

  private void keepBeat() {
    if (!asked) {
      asked = true;
    }
    if (!beats.get() && beats.compareAndSet(false, true)) {
      thread.schedule(this::beat, BEAT_NANOS, NANOSECONDS);
    }
  }

  /** Who asks while it ends finds a beat that is none, and wakes the thread: no harm. */
  private void beat() {
    if (asked) {
      asked = false;
      thread.schedule(this::beat, BEAT_NANOS, NANOSECONDS);
    } else {
      beats.set(false);
    }
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a timer failed", e);
      Ending.ifOutOfMemory(e);
    }
  }
}
