package io.minikafka.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli) over a range of a buffer. One object serves any number of ranges, one thread
 * at a time: who walks many entries keeps one, so that none is made for each.
 */
public final class Crc32c {
  private final CRC32C crc = new CRC32C();

  /** The checksum of one range; for many, keep an object. */
  public static int of(ByteBuffer in, int index, int length) {
    return new Crc32c().over(in, index, length);
  }

  /** The checksum of {@code length} bytes from {@code index}; the buffer's position stays. */
  public int over(ByteBuffer in, int index, int length) {
    int position = in.position();
    int limit = in.limit();
    in.limit(index + length).position(index);
    crc.reset();
    crc.update(in);
    in.limit(limit).position(position);
    return (int) crc.getValue();
  }
}
