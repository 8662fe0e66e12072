package io.minikafka.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes in memory: a range of a buffer.
 *
 * <p>A decoded one is a view of the frame it came in and lives as long as that frame: who keeps it
 * longer copies it.
 */
public final class Bytes implements Blob {
  /** No bytes. */
  public static final Bytes EMPTY = of(new byte[0]);

  private final ByteBuffer base;
  private final int index;
  private final int length;

  private Bytes(ByteBuffer base, int index, int length) {
    this.base = base;
    this.index = index;
    this.length = length;
  }

  /** A view of the buffer's remaining bytes; later changes of its position do not matter. */
  public static Bytes of(ByteBuffer remaining) {
    return new Bytes(remaining.duplicate().clear(), remaining.position(), remaining.remaining());
  }

  public static Bytes of(byte[] bytes) {
    return new Bytes(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(ByteBuffer out) {
    out.put(base.slice(index, length));
  }

  /** A fresh little-endian view from 0 to {@link #length}; writing to it writes the bytes. */
  public ByteBuffer buffer() {
    return base.slice(index, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A fresh little-endian view of the whole buffer the bytes lie in; they begin at {@link #index}.
   * For the one who must write in front of them: a produce's batch marker.
   */
  public ByteBuffer base() {
    return base.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Where in {@link #base} the bytes begin. */
  public int index() {
    return index;
  }

  public byte[] toArray() {
    byte[] copy = new byte[length];
    base.get(index, copy);
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && buffer().equals(that.buffer());
  }

  @Override
  public int hashCode() {
    return buffer().hashCode();
  }

  @Override
  public String toString() {
    return "Bytes[" + length + "]";
  }
}
