package io.minikafka.client;

import io.minikafka.Timers;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Timers on one daemon thread, which starts with the first work. After {@link #close}: none. */
final class DaemonTimers implements Timers, AutoCloseable {
  private final ScheduledThreadPoolExecutor executor;

  DaemonTimers(ThreadFactory threads) {
    executor = new ScheduledThreadPoolExecutor(1, threads);
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Timer after(long delayNanos, Runnable work) {
    try {
      Future<?> scheduled = executor.schedule(work, delayNanos, TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    } catch (RejectedExecutionException e) {
      // The client is closed; whoever would have waited has been failed.
      return () -> {};
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
