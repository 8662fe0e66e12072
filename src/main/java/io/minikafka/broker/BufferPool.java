package io.minikafka.broker;

import io.minikafka.codec.Blob;
import java.nio.ByteBuffer;

/**
 * Lends memory for answers that do not go straight from a file to the socket. Any thread.
 *
 * <p>What is lent is counted until it is released, which for an answer is when the client has taken
 * it. So that slow readers never take all there is, one answer asks {@link #room} first and takes
 * no more, except that one entry always comes whole.
 */
public interface BufferPool {
  /** Bytes one answer may take now; never so little that an ordinary record does not fit. */
  int room();

  /** Little-endian memory of that size, with undefined content. */
  Loan take(int bytes);

  /** Memory that was lent, and the blob it becomes. Released once, like any blob. */
  interface Loan extends Blob {
    /** A fresh little-endian view of all of it. */
    ByteBuffer buffer();

    /** From now on the blob is the first {@code length} bytes. */
    void cutTo(int length);
  }
}
