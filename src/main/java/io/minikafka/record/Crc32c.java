package io.minikafka.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (Castagnoli) over a range of a buffer. Stateless; any thread. */
public final class Crc32c {
  private Crc32c() {}

  /** The checksum of {@code length} bytes from {@code index}; the buffer's position stays. */
  public static int of(ByteBuffer in, int index, int length) {
    int position = in.position();
    int limit = in.limit();
    CRC32C crc = new CRC32C();
    in.limit(index + length).position(index);
    crc.update(in);
    in.limit(limit).position(position);
    return (int) crc.getValue();
  }
}
