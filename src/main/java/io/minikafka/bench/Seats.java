package io.minikafka.bench;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How many partitions each consumer of a point has: none begins before all have one. Any thread.
 */
final class Seats {
  private final AtomicIntegerArray partitions;

  Seats(int consumers) {
    partitions = new AtomicIntegerArray(consumers);
  }

  /** Whether all have one; tells that this one has so many. */
  boolean areTaken(int consumer, int count) {
    partitions.set(consumer, count);
    for (int i = 0; i < partitions.length(); i++) {
      if (partitions.get(i) != 1) {
        return false;
      }
    }
    return true;
  }
}
