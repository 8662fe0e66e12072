package io.minikafka.record;

import java.nio.ByteBuffer;

/**
 * The fields of an entry, read and written at a position of a little-endian buffer.
 *
 * <pre>
 *  0  u64 offset     outside the checksum: the broker assigns it in place
 *  8  u32 length     bytes of payload
 * 12  u32 crc32c     of the payload
 * 16  i64 timestamp  ms since the epoch        ┐
 * 24  i32 kword      key length, -1, or a kind │ payload
 * 28  key, value                               ┘
 * </pre>
 *
 * <p>Nothing here checks bounds: {@link #problem} does, and comes first on bytes of unknown origin.
 * Stateless; any thread.
 */
public final class Entry {
  /** Bytes before the payload. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of a plain record besides key and value. */
  public static final int PLAIN_OVERHEAD_BYTES = 28;

  public static final int MAX_PAYLOAD_BYTES = 16 << 20;

  public static final int OFFSET = 0;
  public static final int LENGTH = 8;
  public static final int CRC = 12;
  public static final int TIMESTAMP = 16;
  public static final int KWORD = 24;
  public static final int BODY = 28;

  /** kword of a record whose key is null. */
  public static final int NULL_KEY = -1;

  public static final int KIND_MARKER = 0;
  public static final int KIND_ATTRIBUTED = 1;
  public static final int KIND_COMPRESSED = 2;
  public static final int KIND_KAFKA_BATCH = 3;
  public static final int KIND_GAP = 4;

  /** What {@link #kind} says of a plain record. */
  public static final int PLAIN = -1;

  /** Flag of an attributed record: the value is null (a tombstone). */
  public static final int FLAG_NULL_VALUE = 1;

  /** Flag of an attributed record: it has headers. */
  public static final int FLAG_HEADERS = 2;

  /** Flag of a gap: a repair skipped damage there. */
  public static final int FLAG_LOST = 1;

  private Entry() {}

  public static long offset(ByteBuffer in, int at) {
    return in.getLong(at + OFFSET);
  }

  /** Bytes of payload as written; may be anything on unchecked bytes. */
  public static int payloadBytes(ByteBuffer in, int at) {
    return in.getInt(at + LENGTH);
  }

  /** Bytes of the whole entry. */
  public static int bytes(ByteBuffer in, int at) {
    return HEADER_BYTES + in.getInt(at + LENGTH);
  }

  public static int crc(ByteBuffer in, int at) {
    return in.getInt(at + CRC);
  }

  public static long timestamp(ByteBuffer in, int at) {
    return in.getLong(at + TIMESTAMP);
  }

  public static int kword(ByteBuffer in, int at) {
    return in.getInt(at + KWORD);
  }

  /** Length and checksum as one word: what {@link EntriesHash} binds. */
  static long lengthAndCrc(ByteBuffer in, int at) {
    return in.getLong(at + LENGTH);
  }

  public static int kwordOf(int kind, int flags) {
    return 1 << 31 | kind << 24 | flags;
  }

  /** {@link #PLAIN} or the kind of an extension entry, 0 … 126. */
  public static int kind(int kword) {
    return kword >= NULL_KEY ? PLAIN : kword >>> 24 & 0x7f;
  }

  public static int flags(int kword) {
    return kword & 0xff_ffff;
  }

  /**
   * How many offsets the entry takes. Kinds from 2 on say so at byte 28, known or not.
   *
   * @return 0 for a marker, otherwise 1 … 2³¹−1; anything below 1 else is a broken entry
   */
  public static int span(ByteBuffer in, int at) {
    int kind = kind(kword(in, at));
    return switch (kind) {
      case PLAIN, KIND_ATTRIBUTED -> 1;
      case KIND_MARKER -> 0;
      default -> in.getInt(at + BODY);
    };
  }

  /** Least payload of a kind. */
  public static int leastPayloadBytes(int kind) {
    return switch (kind) {
      case PLAIN -> 12;
      case KIND_MARKER -> BatchMarker.PAYLOAD_BYTES;
      case KIND_ATTRIBUTED -> 20;
      default -> 16;
    };
  }

  /**
   * Whether a checksum over the payload equals the one written. The entry must lie in the buffer.
   */
  public static boolean checksumHolds(ByteBuffer in, int at) {
    return checksumHolds(in, at, new Crc32c());
  }

  /** The same for one of many entries. */
  public static boolean checksumHolds(ByteBuffer in, int at, Crc32c checksum) {
    return checksum.over(in, at + HEADER_BYTES, payloadBytes(in, at)) == crc(in, at);
  }

  public static void stampChecksum(ByteBuffer out, int at) {
    stampChecksum(out, at, new Crc32c());
  }

  /** The same for one of many entries. */
  public static void stampChecksum(ByteBuffer out, int at, Crc32c checksum) {
    out.putInt(at + CRC, checksum.over(out, at + HEADER_BYTES, payloadBytes(out, at)));
  }

  /**
   * Whether the bytes from {@code at} to {@code limit} begin with an entry whose lengths, kind and
   * span are possible. Does not look at offset and checksum.
   *
   * @return {@link Problem#NONE} if so, else what is wrong
   */
  public static Problem problem(ByteBuffer in, int at, int limit) {
    if (limit - at < HEADER_BYTES + 12) {
      return Problem.SHORT;
    }
    int payload = payloadBytes(in, at);
    if (payload < 12 || payload > MAX_PAYLOAD_BYTES) {
      return Problem.LENGTH;
    }
    if (payload > limit - at - HEADER_BYTES) {
      return Problem.SHORT;
    }
    int kword = kword(in, at);
    int kind = kind(kword);
    if (payload < leastPayloadBytes(kind)) {
      return Problem.LENGTH;
    }
    return switch (kind) {
      case PLAIN -> kword > payload - 12 ? Problem.KEY_LENGTH : Problem.NONE;
      case KIND_MARKER -> payload == BatchMarker.PAYLOAD_BYTES ? Problem.NONE : Problem.LENGTH;
      case KIND_ATTRIBUTED -> Attributed.problem(in, at);
      default -> in.getInt(at + BODY) < 1 ? Problem.SPAN : Problem.NONE;
    };
  }

  /** What can be wrong with the shape of an entry. */
  public enum Problem {
    NONE("nothing"),
    SHORT("an entry goes beyond the end of the data"),
    LENGTH("a payload length is impossible for its kind or above 16 MiB"),
    KEY_LENGTH("a key is longer than the payload that holds it"),
    ATTRIBUTES("an attributed record's flags, headers and lengths do not agree"),
    SPAN("a span is outside 1 … 2^31-1");

    private final String text;

    Problem(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
