package io.minikafka.log;

import io.minikafka.Timers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Timers whose clock the test moves; work runs on the test's thread. */
final class HandTimers implements Timers {
  private final List<Waiting> waiting = new ArrayList<>();
  private long nanos;

  private record Waiting(long atNanos, Runnable work) {}

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  @Override
  public synchronized Timer after(long delayNanos, Runnable work) {
    Waiting added = new Waiting(nanos + delayNanos, work);
    waiting.add(added);
    return () -> cancel(added);
  }

  private synchronized void cancel(Waiting cancelled) {
    waiting.remove(cancelled);
  }

  /** Runs all that becomes due while the clock moves, in order. */
  void advanceMs(long ms) {
    long until = nanoTime() + ms * 1_000_000;
    while (true) {
      Waiting next;
      synchronized (this) {
        next =
            waiting.stream()
                .filter(w -> w.atNanos <= until)
                .min(Comparator.comparingLong(Waiting::atNanos))
                .orElse(null);
        if (next == null) {
          nanos = until;
          return;
        }
        waiting.remove(next);
        nanos = Math.max(nanos, next.atNanos);
      }
      next.work.run();
    }
  }

  synchronized int waiting() {
    return waiting.size();
  }
}
