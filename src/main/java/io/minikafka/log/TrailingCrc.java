package io.minikafka.log;

import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Codec;
import io.minikafka.record.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The small files end with a u32 crc32c of all before it. Stateless. */
final class TrailingCrc {
  static final int BYTES = 4;

  private TrailingCrc() {}

  /** A whole file: the value and its checksum. */
  static <T> ByteBuffer seal(Codec<T> codec, T value) {
    BufferSink out = new BufferSink(256);
    codec.write(value, out);
    out.u32(Crc32c.of(out.toBuffer(), 0, out.length()));
    return out.toBuffer();
  }

  /** Appends the checksum of all that was put into {@code out}, and makes it ready to be read. */
  static ByteBuffer seal(ByteBuffer out) {
    return out.putInt(Crc32c.of(out, 0, out.position())).flip();
  }

  /**
   * Whether the checksum is right; not if there is no room for one.
   *
   * @param file little-endian, from index 0 to its limit
   */
  static boolean holds(ByteBuffer file) {
    int at = file.limit() - BYTES;
    return at >= 0 && Crc32c.of(file, 0, at) == file.getInt(at);
  }

  /** A view of all but the checksum, little-endian. */
  static ByteBuffer body(ByteBuffer file) {
    return file.slice(0, file.limit() - BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
