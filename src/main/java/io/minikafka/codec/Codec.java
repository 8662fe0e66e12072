package io.minikafka.codec;

import java.nio.ByteBuffer;

/**
 * What a type looks like in bytes, little-endian. Immutable; any thread.
 *
 * @param <T> the type
 */
public interface Codec<T> {
  /** Appends {@code value} to {@code out}. */
  void write(T value, Sink out);

  /**
   * Reads one value and moves the position behind it. The buffer must be little-endian.
   *
   * @throws MalformedException if the bytes are not such a value; the position is then undefined
   */
  T read(ByteBuffer in);

  /**
   * The layout in the notation of docs/PROTOCOL.md, for example {@code str topic, u32 partition}.
   */
  String layout();

  /** Fewest bytes a value takes; 0 only if all values take none. */
  int leastBytes();

  /**
   * Reads a value that must fill the buffer.
   *
   * @throws MalformedException also if bytes are left over
   */
  default T readAll(ByteBuffer in) {
    T value = read(in);
    if (in.hasRemaining()) {
      throw new MalformedException(in.remaining() + " bytes too many");
    }
    return value;
  }
}
