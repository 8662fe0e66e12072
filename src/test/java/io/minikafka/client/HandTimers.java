package io.minikafka.client;

import io.minikafka.Timers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A clock that a test moves; due work runs in the test's thread. */
final class HandTimers implements Timers {
  // Guarded by this object's monitor.
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::at));
  private long nowNanos;

  private record Due(long at, Runnable work) {}

  @Override
  public synchronized long nanoTime() {
    return nowNanos;
  }

  @Override
  public synchronized Timer after(long delayNanos, Runnable work) {
    Due later = new Due(nowNanos + delayNanos, work);
    due.add(later);
    return () -> {
      synchronized (this) {
        due.remove(later);
      }
    };
  }

  void advanceMs(long ms) {
    List<Runnable> now = new ArrayList<>();
    synchronized (this) {
      nowNanos += ms * 1_000_000;
      while (!due.isEmpty() && due.element().at <= nowNanos) {
        now.add(due.remove().work);
      }
    }
    now.forEach(Runnable::run);
  }
}
