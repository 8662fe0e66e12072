package io.minikafka.group;

import java.util.Optional;
import java.util.TreeSet;

/**
 * Who is to be looked at next. Lazy: a deadline that moves back leaves its entry where it is, and
 * is found not to be due when the entry comes up; so a heartbeat costs nothing here.
 */
final class Deadlines {
  private final TreeSet<Timed> queue = new TreeSet<>(Deadlines::compare);

  private long turns;

  /**
   * Not put together of the JDK's comparators: no AOT cache holds those, and each start has one.
   */
  private static int compare(Timed one, Timed other) {
    int byTime = Long.compare(one.queuedAtMs, other.queuedAtMs);
    return byTime != 0 ? byTime : Long.compare(one.turn, other.turn);
  }

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
