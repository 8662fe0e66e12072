package io.minikafka.sim;

import io.minikafka.Timers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Time that stands until it is moved: the wall clock, the monotonic clock and the timers on it. One
 * thread.
 */
public final class SimClock implements InstantSource, Timers, LongSupplier {
  private static final long NANOS_PER_MS = 1_000_000;

  private final List<Waiting> waiting = new ArrayList<>();
  private long wallMs = 1_700_000_000_000L;
  private long nanos = 1;

  private final class Waiting implements Timer {
    final long dueNanos;
    final Runnable work;

    Waiting(long dueNanos, Runnable work) {
      this.dueNanos = dueNanos;
      this.work = work;
    }

    @Override
    public void cancel() {
      waiting.remove(this);
    }
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(wallMs);
  }

  @Override
  public long millis() {
    return wallMs;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long getAsLong() {
    return nanos;
  }

  @Override
  public Timer after(long delayNanos, Runnable work) {
    Waiting timer = new Waiting(nanos + delayNanos, work);
    waiting.add(timer);
    return timer;
  }

  /** Moves both clocks and runs what comes due, in order, each at its time. */
  public void advance(long ms) {
    long targetNanos = nanos + ms * NANOS_PER_MS;
    long targetWall = wallMs + ms;
    while (true) {
      Waiting next = null;
      for (Waiting timer : waiting) {
        if (timer.dueNanos <= targetNanos && (next == null || timer.dueNanos < next.dueNanos)) {
          next = timer;
        }
      }
      if (next == null) {
        break;
      }
      waiting.remove(next);
      if (next.dueNanos > nanos) {
        wallMs += (next.dueNanos - nanos) / NANOS_PER_MS;
        nanos = next.dueNanos;
      }
      next.work.run();
    }
    nanos = targetNanos;
    wallMs = Math.max(wallMs, targetWall);
  }

  /** Somebody sets the wall clock, forward or back; timers do not notice. */
  public void setWall(long ms) {
    wallMs = ms;
  }

  /** Timers that wait. */
  public int waiting() {
    return waiting.size();
  }

  /** The process is gone, and its timers with it. */
  public void forgetTimers() {
    waiting.clear();
  }
}
