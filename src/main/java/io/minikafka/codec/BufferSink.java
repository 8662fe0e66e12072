package io.minikafka.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A sink into memory that grows as needed. One thread; reusable after {@link #clear}.
 *
 * <p>It takes only blobs that lie in memory.
 */
public final class BufferSink implements Sink {
  private ByteBuffer buffer;

  public BufferSink(int initialBytes) {
    buffer = ByteBuffer.allocate(Math.max(16, initialBytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Encodes one value; the result is ready to be read. */
  public static <T> ByteBuffer encode(Codec<T> codec, T value) {
    BufferSink sink = new BufferSink(64);
    codec.write(value, sink);
    return sink.toBuffer();
  }

  @Override
  public void u8(int value) {
    room(1).put((byte) value);
  }

  @Override
  public void u16(int value) {
    room(2).putShort((short) value);
  }

  @Override
  public void u32(int value) {
    room(4).putInt(value);
  }

  @Override
  public void u64(long value) {
    room(8).putLong(value);
  }

  @Override
  public void raw(ByteBuffer bytes) {
    room(bytes.remaining()).put(bytes.duplicate());
  }

  @Override
  public void blob(Blob blob) {
    switch (blob) {
      case Bytes bytes -> raw(bytes.buffer());
      case Chain chain -> chain.parts().forEach(this::blob);
      case Blob other ->
          throw new IllegalArgumentException(
              "a memory sink takes no " + other.getClass().getName());
    }
  }

  /** Bytes written since the last {@link #clear}. */
  public int length() {
    return buffer.position();
  }

  /** Overwrites the u32 at {@code index}: for lengths that are known only afterwards. */
  public void patchU32(int index, int value) {
    buffer.putInt(index, value);
  }

  /** What was written, as a view; valid until the next write or {@link #clear}. */
  public ByteBuffer toBuffer() {
    return buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
  }

  public void clear() {
    buffer.clear();
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      long wanted = Math.max((long) buffer.capacity() * 2, (long) buffer.position() + bytes);
      int capacity = Math.toIntExact(Math.min(wanted, Integer.MAX_VALUE - 8L));
      buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
    }
    return buffer;
  }
}
