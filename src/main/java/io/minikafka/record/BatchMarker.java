package io.minikafka.record;

import java.nio.ByteBuffer;

/**
 * The 96-byte entry of kind 0 that stands before the entries of one produced batch; takes no
 * offset.
 *
 * <pre>
 *  0  u64 offset         = base offset, for walkers (unprotected)
 *  8  u32 length         80
 * 12  u32 crc32c         of bytes 16..95
 * 16  i64 maxTimestamp   largest record timestamp in the batch
 * 24  i32 kword          kind 0 | flags
 * 28  u32 magic          "MKB1"
 * 32  u16 version        1
 * 34  i16 producerEpoch
 * 36  i32 baseSequence   -1 none
 * 40  i64 producerId     -1 none
 * 48  u32 bytes          length of the batch's entries
 * 52  u32 span           their offsets
 * 56  u32 entriesHash    see {@link EntriesHash}
 * 60  u32 logEpoch       &lt; 2^31
 * 64  u64 baseOffset
 * 72  i64 appendTime     the broker's clock, ms
 * 80  u64 durableOffset  all below was on stable storage when this was written
 * 88  u64 partitionHash
 * </pre>
 *
 * <p>The producer fills 8..59 with a correct checksum and leaves the rest zero; the broker fills
 * the rest and stamps the checksum again ({@link #stamp}).
 */
public record BatchMarker(
    long offset,
    long maxTimestamp,
    int flags,
    short producerEpoch,
    int baseSequence,
    long producerId,
    int bytes,
    int span,
    int entriesHash,
    int logEpoch,
    long baseOffset,
    long appendTime,
    long durableOffset,
    long partitionHash) {
  public static final int BYTES = 96;
  public static final int PAYLOAD_BYTES = BYTES - Entry.HEADER_BYTES;

  /** "MKB1" read as a little-endian word. */
  public static final int MAGIC = 'M' | 'K' << 8 | 'B' << 16 | '1' << 24;

  public static final int VERSION = 1;

  /** Flag: compaction removed entries, offsets inside may skip. */
  public static final int FLAG_COMPACTED = 1;

  public static final int MAX_TIMESTAMP = 16;
  public static final int MAGIC_AT = 28;
  public static final int VERSION_AT = 32;
  public static final int PRODUCER_EPOCH = 34;
  public static final int BASE_SEQUENCE = 36;
  public static final int PRODUCER_ID = 40;
  public static final int ENTRIES_BYTES = 48;
  public static final int SPAN = 52;
  public static final int ENTRIES_HASH = 56;
  public static final int LOG_EPOCH = 60;
  public static final int BASE_OFFSET = 64;
  public static final int APPEND_TIME = 72;
  public static final int DURABLE_OFFSET = 80;
  public static final int PARTITION_HASH = 88;

  /**
   * Whether the entry at {@code at} is a marker by its kind word; {@code at + 28} must be readable.
   */
  public static boolean isMarker(ByteBuffer in, int at) {
    return Entry.kind(Entry.kword(in, at)) == Entry.KIND_MARKER;
  }

  /** Whether 96 bytes from {@code at} are a marker of this version with a correct checksum. */
  public static Check check(ByteBuffer in, int at, int limit) {
    if (limit - at < BYTES
        || Entry.payloadBytes(in, at) != PAYLOAD_BYTES
        || !isMarker(in, at)
        || in.getInt(at + MAGIC_AT) != MAGIC
        || !Entry.checksumHolds(in, at)) {
      return Check.BAD;
    }
    return (in.getShort(at + VERSION_AT) & 0xffff) == VERSION ? Check.GOOD : Check.UNKNOWN_VERSION;
  }

  /** Reads all fields; {@link #check} comes first. */
  public static BatchMarker read(ByteBuffer in, int at) {
    return new BatchMarker(
        Entry.offset(in, at),
        in.getLong(at + MAX_TIMESTAMP),
        Entry.flags(Entry.kword(in, at)),
        in.getShort(at + PRODUCER_EPOCH),
        in.getInt(at + BASE_SEQUENCE),
        in.getLong(at + PRODUCER_ID),
        in.getInt(at + ENTRIES_BYTES),
        in.getInt(at + SPAN),
        in.getInt(at + ENTRIES_HASH),
        in.getInt(at + LOG_EPOCH),
        in.getLong(at + BASE_OFFSET),
        in.getLong(at + APPEND_TIME),
        in.getLong(at + DURABLE_OFFSET),
        in.getLong(at + PARTITION_HASH));
  }

  /** Writes all fields and the checksum. */
  public void write(ByteBuffer out, int at) {
    out.putLong(at + Entry.OFFSET, offset);
    out.putInt(at + Entry.LENGTH, PAYLOAD_BYTES);
    out.putLong(at + MAX_TIMESTAMP, maxTimestamp);
    out.putInt(at + Entry.KWORD, Entry.kwordOf(Entry.KIND_MARKER, flags));
    out.putInt(at + MAGIC_AT, MAGIC);
    out.putShort(at + VERSION_AT, (short) VERSION);
    out.putShort(at + PRODUCER_EPOCH, producerEpoch);
    out.putInt(at + BASE_SEQUENCE, baseSequence);
    out.putLong(at + PRODUCER_ID, producerId);
    out.putInt(at + ENTRIES_BYTES, bytes);
    out.putInt(at + SPAN, span);
    out.putInt(at + ENTRIES_HASH, entriesHash);
    out.putInt(at + LOG_EPOCH, logEpoch);
    out.putLong(at + BASE_OFFSET, baseOffset);
    out.putLong(at + APPEND_TIME, appendTime);
    out.putLong(at + DURABLE_OFFSET, durableOffset);
    out.putLong(at + PARTITION_HASH, partitionHash);
    Entry.stampChecksum(out, at);
  }

  /** A marker as a producer without sequences sends it: the broker's fields are zero. */
  public static BatchMarker produced(long maxTimestamp, int bytes, int span, int entriesHash) {
    return new BatchMarker(
        0, maxTimestamp, 0, (short) -1, -1, -1, bytes, span, entriesHash, 0, 0, 0, 0, 0);
  }

  /** Fills in what the broker assigns, and the checksum; leaves the producer's fields. */
  public static void stamp(
      ByteBuffer out,
      int at,
      long baseOffset,
      int logEpoch,
      long appendTime,
      long durableOffset,
      long partitionHash) {
    out.putLong(at + Entry.OFFSET, baseOffset);
    out.putInt(at + LOG_EPOCH, logEpoch);
    out.putLong(at + BASE_OFFSET, baseOffset);
    out.putLong(at + APPEND_TIME, appendTime);
    out.putLong(at + DURABLE_OFFSET, durableOffset);
    out.putLong(at + PARTITION_HASH, partitionHash);
    Entry.stampChecksum(out, at);
  }

  /** What {@link #check} found. */
  public enum Check {
    GOOD,
    /** The checksum is right, so this is no damage: a newer broker wrote it. */
    UNKNOWN_VERSION,
    BAD
  }
}
