package io.minikafka.partition;

import java.util.concurrent.atomic.AtomicLong;

/** The offset below which everything is visible. Never falls; any thread. */
final class HighWatermark {
  private final AtomicLong offset;
  private final Runnable onRise;

  HighWatermark(long offset, Runnable onRise) {
    this.offset = new AtomicLong(offset);
    this.onRise = onRise;
  }

  long get() {
    return offset.get();
  }

  void raiseTo(long to) {
    // getAndAccumulate decides the one thread that saw it rise.
    if (offset.getAndAccumulate(to, Math::max) < to) {
      onRise.run();
    }
  }
}
