package io.minikafka.app;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.minikafka.Timers;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;

/**
 * {@link Timers} on one thread and the machine's monotonic clock.
 *
 * <p>Any thread. What a timer throws is logged and hurts no other. After {@link #stop} nothing runs
 * any more, and new timers are dropped.
 */
final class TimerThread implements Timers {
  private static final System.Logger LOG = System.getLogger(TimerThread.class.getName());

  private static final Timer NEVER = () -> {};

  private final ScheduledThreadPoolExecutor thread;

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
      ScheduledFuture<?> waiting = thread.schedule(() -> run(work), delayNanos, NANOSECONDS);
      return () -> waiting.cancel(false);
    } catch (RejectedExecutionException stopped) {
      return NEVER;
    }
  }

  void stop() {
    thread.shutdownNow();
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
