package io.minikafka.log;

import java.util.concurrent.atomic.AtomicLong;

/** Slices that readers hold, over one data directory. Any thread. */
final class Pins {
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong slices = new AtomicLong();

  void add(int sliceBytes) {
    bytes.addAndGet(sliceBytes);
    slices.incrementAndGet();
  }

  void remove(int sliceBytes) {
    bytes.addAndGet(-sliceBytes);
    slices.decrementAndGet();
  }

  long bytes() {
    return bytes.get();
  }

  long slices() {
    return slices.get();
  }
}
