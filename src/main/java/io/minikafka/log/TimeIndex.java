package io.minikafka.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * When some batches of a segment were appended, and the largest record timestamp up to and
 * including each: the segment's first batch, then about one for each interval of bytes, and, when
 * the file is written, the last.
 *
 * <p>File: {@code {i64 running maximum of record timestamps, i64 appendTime, u32 offset − base}}
 * each, little-endian, and a {@code u32 crc32c} of them all; the offset is the batch's base offset.
 * Offsets rise strictly, times never fall. The checksum is there because a running maximum that a
 * torn write has lowered a little can be told neither by its neighbours nor by the log, short of
 * reading all of it.
 *
 * <p>One thread adds; any thread looks up meanwhile and sees what was added before it looked.
 */
final class TimeIndex {
  static final int ENTRY_BYTES = 20;

  private static final int STRIDE = 3;

  private final long baseOffset;

  // Written only by the one who adds, in this order; published by count.
  private long[] fields = new long[STRIDE];
  private volatile int count;

  TimeIndex(long baseOffset) {
    this.baseOffset = baseOffset;
  }

  /**
   * @param maxTimestamp of all records of the segment up to the end of this batch, ms
   * @param appendTime of this batch, ms
   * @param offset the batch's base offset
   */
  void add(long maxTimestamp, long appendTime, long offset) {
    int n = count;
    if (offset < baseOffset || offset - baseOffset > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("offset %d is not in the segment".formatted(offset));
    }
    if (n > 0
        && (offset <= offset(n - 1)
            || maxTimestamp < maxTimestamp(n - 1)
            || appendTime < appendTime(n - 1))) {
      throw new IllegalArgumentException("time index entry for %d falls".formatted(offset));
    }
    if ((n + 1) * STRIDE > fields.length) {
      fields = Arrays.copyOf(fields, fields.length * 2);
    }
    fields[n * STRIDE] = maxTimestamp;
    fields[n * STRIDE + 1] = appendTime;
    fields[n * STRIDE + 2] = offset - baseOffset;
    count = n + 1;
  }

  int count() {
    return count;
  }

  /** Forgets the newest entries; only before anybody else looks. */
  void backTo(int fewer) {
    count = fewer;
  }

  long maxTimestamp(int ordinal) {
    return fields[ordinal * STRIDE];
  }

  long appendTime(int ordinal) {
    return fields[ordinal * STRIDE + 1];
  }

  /** Base offset of the batch. */
  long offset(int ordinal) {
    return baseOffset + fields[ordinal * STRIDE + 2];
  }

  /** Ordinal of the last batch whose base offset is at most {@code offset}; −1 if none. */
  int floorByOffset(long offset) {
    return Floor.ordinal(count, this::offset, offset);
  }

  /**
   * Ordinal of the first entry whose running maximum is at least {@code timestamp}; {@link #count}
   * if there is none. The first record with that timestamp lies behind the entry before it and not
   * behind the end of this entry's batch.
   */
  int firstReaching(long timestamp) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (maxTimestamp(middle) < timestamp) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Bytes of memory it holds, about. */
  int memoryBytes() {
    return 8 * fields.length;
  }

  ByteBuffer encode() {
    int n = count;
    ByteBuffer out =
        ByteBuffer.allocate(n * ENTRY_BYTES + TrailingCrc.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < n; i++) {
      out.putLong(maxTimestamp(i)).putLong(appendTime(i)).putInt((int) fields[i * STRIDE + 2]);
    }
    return TrailingCrc.seal(out);
  }

  /**
   * What a file holds, if it can be the time index of such a segment: checksum right, offsets
   * rising and inside, times not falling.
   *
   * @param nextOffset behind the segment's last entry
   */
  static Optional<TimeIndex> decode(ByteBuffer file, long baseOffset, long nextOffset) {
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int bytes = in.remaining() - TrailingCrc.BYTES;
    if (bytes % ENTRY_BYTES != 0 || !TrailingCrc.holds(in)) {
      return Optional.empty();
    }
    int n = bytes / ENTRY_BYTES;
    TimeIndex index = new TimeIndex(baseOffset);
    index.fields = new long[Math.max(n, 1) * STRIDE];
    for (int i = 0; i < n; i++) {
      long maxTimestamp = in.getLong();
      long appendTime = in.getLong();
      int relative = in.getInt();
      boolean plausible =
          relative >= 0
              && baseOffset + relative < nextOffset
              && (i == 0
                  || (baseOffset + relative > index.offset(i - 1)
                      && maxTimestamp >= index.maxTimestamp(i - 1)
                      && appendTime >= index.appendTime(i - 1)));
      if (!plausible) {
        return Optional.empty();
      }
      index.fields[i * STRIDE] = maxTimestamp;
      index.fields[i * STRIDE + 1] = appendTime;
      index.fields[i * STRIDE + 2] = relative;
    }
    index.count = n;
    return Optional.of(index);
  }
}
