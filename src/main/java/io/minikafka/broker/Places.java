package io.minikafka.broker;

import java.util.concurrent.atomic.AtomicInteger;

/** So many at once and no more. Any thread. */
final class Places {
  private final int limit;
  private final AtomicInteger taken = new AtomicInteger();

  Places(int limit) {
    this.limit = limit;
  }

  int limit() {
    return limit;
  }

  /** Whether there was one; it is given back by {@link #giveBack}. */
  boolean take() {
    if (taken.incrementAndGet() <= limit) {
      return true;
    }
    taken.decrementAndGet();
    return false;
  }

  void giveBack() {
    taken.decrementAndGet();
  }
}
