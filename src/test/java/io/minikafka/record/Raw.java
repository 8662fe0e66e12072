package io.minikafka.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Entries put together byte by byte, right or wrong, without the code under test. */
final class Raw {
  private Raw() {}

  /** A whole entry; length and checksum are right for what is given. */
  static byte[] entry(long offset, long timestamp, int kword, byte[] body) {
    ByteBuffer out = little(28 + body.length);
    out.putLong(offset).putInt(12 + body.length).putInt(0).putLong(timestamp).putInt(kword);
    out.put(body);
    return restamp(out.array());
  }

  static byte[] plain(long offset, String key, String value) {
    return entry(offset, 7, key.length(), utf8(key + value));
  }

  static byte[] nullKey(long offset, String value) {
    return entry(offset, 7, -1, utf8(value));
  }

  static byte[] ofKind(long offset, int kind, int flags, byte[] body) {
    return entry(offset, 7, 0x80000000 | kind << 24 | flags, body);
  }

  static byte[] spanning(long offset, int kind, int span) {
    return ofKind(offset, kind, 0, little(4).putInt(span).array());
  }

  /** Body of an attributed record. */
  static byte[] attributes(int keyLength, int headersLength, byte[] rest) {
    return little(8 + rest.length).putInt(keyLength).putInt(headersLength).put(rest).array();
  }

  static byte[] headers(int count, Object... parts) {
    ByteBuffer out = little(1000).putInt(count);
    for (Object part : parts) {
      switch (part) {
        case Integer number -> out.putInt(number);
        case byte[] bytes -> out.put(bytes);
        case String text -> out.put(utf8(text));
        default -> throw new AssertionError(part);
      }
    }
    byte[] bytes = new byte[out.position()];
    out.get(0, bytes);
    return bytes;
  }

  /** Sets the checksum of the one entry in the array. */
  static byte[] restamp(byte[] entry) {
    ByteBuffer out = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(entry, 16, entry.length - 16);
    out.putInt(12, (int) crc.getValue());
    return entry;
  }

  /** A copy with something changed in it, checksum set again. */
  static byte[] changed(byte[] entry, Consumer<ByteBuffer> change) {
    byte[] copy = entry.clone();
    change.accept(ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN));
    return restamp(copy);
  }

  static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer out = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      out.put(part);
    }
    return out.array();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
