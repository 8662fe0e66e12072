package io.minikafka;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** A clock that moves when the test says so; work runs on the test's thread. Any thread. */
public final class HandTimers implements Timers {
  private record Due(long atNanos, long number, Runnable work) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(number, other.number);
    }
  }

  // Guarded by this.
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private long nowNanos;
  private long number;

  @Override
  public synchronized long nanoTime() {
    return nowNanos;
  }

  @Override
  public synchronized Timer after(long delayNanos, Runnable work) {
    Due added = new Due(nowNanos + delayNanos, number++, work);
    due.add(added);
    return () -> {
      synchronized (this) {
        due.remove(added);
      }
    };
  }

  /** How much waits for its time. */
  public synchronized int waiting() {
    return due.size();
  }

  /** Moves the clock as if nothing could run meanwhile; what is due runs with the next advance. */
  public synchronized void stallMs(long ms) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /** Moves the clock, running what becomes due at its very time. */
  public void advanceMs(long ms) {
    long target = nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (true) {
      Runnable work;
      synchronized (this) {
        Due next = due.peek();
        if (next == null || next.atNanos > target) {
          nowNanos = target;
          return;
        }
        due.remove();
        nowNanos = Math.max(nowNanos, next.atNanos);
        work = next.work;
      }
      work.run();
    }
  }
}
