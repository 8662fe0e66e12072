package io.minikafka.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where in a segment some of its entries lie: one pair for about each interval of bytes, strictly
 * rising in offset and position. The segment's first entry, at position 0, has none, and no pair
 * has its offset.
 *
 * <p>File: {@code {u32 offset − base, u32 position}} each, little-endian.
 *
 * <p>One thread adds; any thread looks up meanwhile and sees what was added before it looked.
 */
final class OffsetIndex {
  static final int ENTRY_BYTES = 8;

  /** What a lookup says when nothing is at or below: begin at position 0. */
  static final int BEFORE_FIRST = -1;

  private final long baseOffset;

  // Written only by the one who adds, in this order; published by count.
  private long[] pairs = new long[4];
  private volatile int count;

  OffsetIndex(long baseOffset) {
    this.baseOffset = baseOffset;
  }

  /** Offset and position must be above those of the last pair and fit in 31 bits. */
  void add(long offset, int position) {
    int n = count;
    long relative = offset - baseOffset;
    if (relative <= 0 || relative > Integer.MAX_VALUE || position <= 0) {
      throw new IllegalArgumentException("offset %d at position %d".formatted(offset, position));
    }
    if (n > 0 && (offset <= offset(n - 1) || position <= position(n - 1))) {
      throw new IllegalArgumentException(
          "offset %d at position %d does not rise".formatted(offset, position));
    }
    if (n == pairs.length) {
      pairs = Arrays.copyOf(pairs, n * 2);
    }
    pairs[n] = relative << 32 | position;
    count = n + 1;
  }

  long baseOffset() {
    return baseOffset;
  }

  int count() {
    return count;
  }

  /** Forgets the newest pairs; only before anybody else looks. */
  void backTo(int fewer) {
    count = fewer;
  }

  long offset(int ordinal) {
    return baseOffset + (pairs[ordinal] >>> 32);
  }

  int position(int ordinal) {
    return (int) pairs[ordinal];
  }

  /** Ordinal of the last pair whose offset is at most {@code offset}. */
  int floorByOffset(long offset) {
    return Floor.ordinal(count, this::offset, offset);
  }

  /** Ordinal of the last pair whose position is at most {@code position}. */
  int floorByPosition(long position) {
    return Floor.ordinal(count, this::position, position);
  }

  /** Position of the pair, 0 for {@link #BEFORE_FIRST}. */
  int positionOrZero(int ordinal) {
    return ordinal < 0 ? 0 : position(ordinal);
  }

  /** Bytes of memory it holds, about. */
  int memoryBytes() {
    return 8 * pairs.length;
  }

  ByteBuffer encode() {
    int n = count;
    ByteBuffer out = ByteBuffer.allocate(n * ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < n; i++) {
      out.putInt((int) (pairs[i] >>> 32)).putInt((int) pairs[i]);
    }
    return out.flip();
  }

  /**
   * What a file holds, if it can be the index of such a segment: whole pairs, strictly rising, and
   * all inside. Whether the pairs point at the right entries is for the log to say.
   *
   * @param nextOffset behind the segment's last entry
   * @param segmentBytes size of the segment
   */
  static Optional<OffsetIndex> decode(
      ByteBuffer file, long baseOffset, long nextOffset, int segmentBytes) {
    if (file.remaining() % ENTRY_BYTES != 0) {
      return Optional.empty();
    }
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int n = in.remaining() / ENTRY_BYTES;
    OffsetIndex index = new OffsetIndex(baseOffset);
    index.pairs = new long[Math.max(n, 1)];
    int lastRelative = 0;
    int lastPosition = 0;
    for (int i = 0; i < n; i++) {
      int relative = in.getInt();
      int position = in.getInt();
      boolean rises = relative > lastRelative && position > lastPosition;
      if (!rises || position >= segmentBytes || baseOffset + relative >= nextOffset) {
        return Optional.empty();
      }
      index.pairs[i] = (long) relative << 32 | position;
      lastRelative = relative;
      lastPosition = position;
    }
    index.count = n;
    return Optional.of(index);
  }
}
