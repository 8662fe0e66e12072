package io.minikafka.codec;

/**
 * A run of bytes to be sent, wherever it lies: in memory ({@link Bytes}), in a file (a slice that
 * only the network layer opens, so that record bytes never pass through the heap), or in several
 * pieces ({@link Chain}).
 */
public interface Blob {
  /** How many bytes; 0 or more. */
  int length();

  /**
   * Gives back what the blob holds: a pooled buffer, a lease on a file. Exactly once, by whoever
   * has sent or dropped it; after that the bytes may be gone. Any thread. Nothing to do for plain
   * memory.
   */
  default void release() {}
}
