package io.minikafka.group;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Who is to be looked at next. Lazy: a deadline that moves back leaves its entry where it is, and
 * is found not to be due when the entry comes up; so a heartbeat costs nothing here.
 */
final class Deadlines {
  private final TreeSet<Timed> queue =
      new TreeSet<>(
          Comparator.comparingLong((Timed timed) -> timed.queuedAtMs)
              .thenComparingLong(timed -> timed.turn));

  private long turns;

  /** To be called whenever {@code timed}'s deadline may have come nearer. */
  void watch(Timed timed) {
    long atMs = timed.wakeAtMs();
    if (atMs < timed.queuedAtMs) {
      forget(timed);
      timed.queuedAtMs = atMs;
      timed.turn = turns++;
      queue.add(timed);
    }
  }

  void forget(Timed timed) {
    if (timed.queuedAtMs != Long.MAX_VALUE) {
      queue.remove(timed);
      timed.queuedAtMs = Long.MAX_VALUE;
    }
  }

  /** Takes out one that is due; one that only seemed to be is put back. */
  Optional<Timed> due(long nowMs) {
    while (!queue.isEmpty() && queue.first().queuedAtMs <= nowMs) {
      Timed first = queue.first();
      forget(first);
      if (first.wakeAtMs() <= nowMs) {
        return Optional.of(first);
      }
      watch(first);
    }
    return Optional.empty();
  }

  /** Early perhaps, but never late. */
  long nextMs() {
    return queue.isEmpty() ? Long.MAX_VALUE : queue.first().queuedAtMs;
  }
}
