package io.minikafka.codec;

import java.nio.ByteBuffer;

/**
 * Takes the bytes of a message in order. The client's sink is one buffer; the server's is a chain
 * of buffers and file regions. One thread at a time.
 */
public interface Sink {
  void u8(int value);

  void u16(int value);

  void u32(int value);

  void u64(long value);

  /** Copies the buffer's remaining bytes; its position does not change. */
  void raw(ByteBuffer bytes);

  /**
   * Appends the bytes of {@code blob} (without a length) and takes over its lease, if it has one.
   */
  void blob(Blob blob);
}
