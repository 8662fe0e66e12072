package io.minikafka.codec;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A run of bytes to be sent, wherever it lies: in memory ({@link Bytes}), in a file (a slice that
 * only the network layer opens, so that record bytes never pass through the heap), or in several
 * pieces ({@link Chain}).
 */
public interface Blob {
  /** How many bytes; 0 or more. */
  int length();

  /**
   * Copies all the bytes to where {@code out} stands and moves its position behind them; for the
   * few who must look at bytes that are otherwise only sent. The blob is not released by it. May
   * block if the bytes lie in a file.
   *
   * @param out at least {@link #length} bytes of room
   * @throws IOException if the bytes cannot be read
   */
  void copyTo(ByteBuffer out) throws IOException;

  /**
   * Gives back what the blob holds: a pooled buffer, a lease on a file. Exactly once, by whoever
   * has sent or dropped it; after that the bytes may be gone. Any thread. Nothing to do for plain
   * memory.
   */
  default void release() {}
}
