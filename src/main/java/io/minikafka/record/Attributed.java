package io.minikafka.record;

import io.minikafka.record.Entry.Problem;
import java.nio.ByteBuffer;

/**
 * The body of an attributed record (kind 1): a record with headers, a null value, or both.
 *
 * <pre>
 * 28  i32 keyLength      -1 null
 * 32  u32 headersLength  0 exactly if the flag says no headers
 * 36  key, headers, value (no bytes when the flag says null)
 * headers: u32 n, n × (u32 keyLength, key UTF-8, i32 valueLength (-1 null), value)
 * </pre>
 */
final class Attributed {
  static final int KEY_LENGTH = 28;
  static final int HEADERS_LENGTH = 32;
  static final int KEY = 36;

  /** Payload bytes before the key. */
  static final int FIXED_PAYLOAD_BYTES = KEY - Entry.HEADER_BYTES;

  private Attributed() {}

  static Problem problem(ByteBuffer in, int at) {
    int flags = Entry.flags(Entry.kword(in, at));
    int keyLength = in.getInt(at + KEY_LENGTH);
    int headersLength = in.getInt(at + HEADERS_LENGTH);
    int room = Entry.payloadBytes(in, at) - FIXED_PAYLOAD_BYTES;
    if ((flags & ~(Entry.FLAG_NULL_VALUE | Entry.FLAG_HEADERS)) != 0
        || keyLength < -1
        || headersLength < 0
        || (headersLength == 0) != ((flags & Entry.FLAG_HEADERS) == 0)) {
      return Problem.ATTRIBUTES;
    }
    room -= Math.max(keyLength, 0);
    if (room < 0) {
      return Problem.KEY_LENGTH;
    }
    room -= headersLength;
    if (room < 0 || ((flags & Entry.FLAG_NULL_VALUE) != 0 && room > 0)) {
      return Problem.ATTRIBUTES;
    }
    int headersAt = at + KEY + Math.max(keyLength, 0);
    return headersLength == 0 || headersFill(in, headersAt, headersAt + headersLength)
        ? Problem.NONE
        : Problem.ATTRIBUTES;
  }

  /**
   * Whether every header's key is text. Asked of what producers send; {@link #problem} comes first.
   */
  static boolean headerKeysAreText(ByteBuffer in, int at) {
    if (in.getInt(at + HEADERS_LENGTH) == 0) {
      return true;
    }
    int next = at + KEY + Math.max(in.getInt(at + KEY_LENGTH), 0);
    int count = in.getInt(next);
    next += 4;
    for (int i = 0; i < count; i++) {
      int keyLength = in.getInt(next);
      next += 4;
      if (!Utf8.isWellFormed(in, next, next + keyLength)) {
        return false;
      }
      next += keyLength;
      next += 4 + Math.max(in.getInt(next), 0);
    }
    return true;
  }

  /** Whether the headers' lengths fill their room exactly; at least one, each at least 8 bytes. */
  private static boolean headersFill(ByteBuffer in, int at, int limit) {
    if (limit - at < 4) {
      return false;
    }
    int count = in.getInt(at);
    at += 4;
    if (count < 1 || count > (limit - at) / 8) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (limit - at < 8) {
        return false;
      }
      int keyLength = in.getInt(at);
      if (keyLength < 0 || keyLength > limit - at - 8) {
        return false;
      }
      at += 4 + keyLength;
      int valueLength = in.getInt(at);
      if (valueLength < -1 || valueLength > limit - at - 4) {
        return false;
      }
      at += 4 + Math.max(valueLength, 0);
    }
    return at == limit;
  }
}
