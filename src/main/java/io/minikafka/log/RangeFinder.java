package io.minikafka.log;

import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.util.Optional;

/**
 * Finds the bytes of a segment that answer a read: from the entry that holds an offset, with its
 * marker, to the last entry boundary within a bound. Begin and end come from the offset index and
 * at most one interval of headers behind it. One thread.
 */
final class RangeFinder {
  private final long baseOffset;
  private final long endOffset;
  private final OffsetIndex index;
  private final DamageRanges damage;
  private final EntryCursor cursor;

  /**
   * @param published what there is of the segment
   * @param file its own
   */
  RangeFinder(LogState.View published, DamageRanges damage, DiskFile file) throws IOException {
    this.baseOffset = published.segment().baseOffset();
    this.endOffset = published.nextOffset();
    this.index = published.segment().indexes().offsets();
    this.damage = damage;
    this.cursor = new EntryCursor(file, published.bytes(), EntryCursor.CHUNK_BYTES);
  }

  /**
   * Bytes of a segment.
   *
   * @param nextOffset behind the last entry in it
   */
  record Range(int position, int bytes, long nextOffset) {}

  /**
   * Where the answer must end.
   *
   * @param offset first that must not be in it; a batch boundary
   * @param position where that lies, or −1 if it is not known
   */
  record Limit(long offset, int position) {}

  /**
   * @param offset in the segment and not damaged
   * @return of no bytes if the first entry does not fit or lies at or above the limit
   * @throws BadEntryException if index and log do not agree
   */
  Range find(long offset, int maxBytes, boolean atLeastOne, Limit limit) throws IOException {
    int start = seekTo(offset);
    int firstEnd = cursor.endPosition();
    boolean fits = firstEnd - start <= maxBytes;
    // A gap may reach over the limit: compaction goes by what is durable, and that may be ahead.
    boolean isBelow = cursor.nextOffset() <= limit.offset;
    if (!isBelow || !(fits || atLeastOne)) {
      return new Range(start, 0, offset);
    }
    long firstNext = cursor.nextOffset();
    if (!fits) {
      return new Range(start, firstEnd - start, firstNext);
    }
    long target = (long) start + maxBytes;
    if (limit.position >= 0 && limit.position <= target) {
      return new Range(start, limit.position - start, limit.offset);
    }
    return upTo(start, firstEnd, firstNext, target, limit.offset);
  }

  /**
   * Puts the cursor on the first entry of span &gt; 0 that reaches beyond {@code offset}.
   *
   * @return its position, or that of the marker directly before it
   */
  int seekTo(long offset) throws IOException {
    int floor = index.floorByOffset(offset);
    long expected = floor < 0 ? baseOffset : index.offset(floor);
    int position = index.positionOrZero(floor);
    Optional<DamageRange> before = damage.lastBefore(offset, baseOffset);
    if (before.isPresent() && before.get().toPosition() > position) {
      expected = before.get().to();
      position = before.get().toPosition();
    }
    cursor.seek(position, gapBytes(floor));
    int markerPosition = -1;
    boolean exact = true;
    while (cursor.read()) {
      check(expected, exact);
      exact = false;
      expected = cursor.nextOffset();
      if (cursor.isMarker()) {
        markerPosition = cursor.position();
      } else if (expected > offset) {
        return markerPosition >= 0 ? markerPosition : cursor.position();
      } else {
        markerPosition = -1;
      }
      cursor.advance();
    }
    throw new BadEntryException(
        cursor.position(), "the segment ends before offset %d is reached".formatted(offset));
  }

  EntryCursor cursor() {
    return cursor;
  }

  /** The cursor stands on the first entry, which fits. */
  private Range upTo(int start, int firstEnd, long firstNext, long target, long limitOffset)
      throws IOException {
    int end = firstEnd;
    long next = firstNext;
    int jump = Math.min(index.floorByPosition(target), index.floorByOffset(limitOffset - 1));
    if (jump >= 0 && index.position(jump) >= firstEnd) {
      cursor.seek(index.position(jump), gapBytes(jump));
      if (!cursor.read()) {
        throw new BadEntryException(cursor.position(), "the index points at the end");
      }
      check(index.offset(jump), true);
      end = cursor.position();
      next = cursor.offset();
    } else {
      cursor.advance();
    }
    long expected = next;
    while (cursor.read()) {
      check(expected, false);
      boolean isBelow = cursor.offset() < limitOffset && cursor.nextOffset() <= limitOffset;
      if (!isBelow || cursor.endPosition() > target) {
        break;
      }
      expected = cursor.nextOffset();
      if (!cursor.isMarker()) {
        end = cursor.endPosition();
        next = expected;
      }
      cursor.advance();
    }
    return new Range(start, end - start, next);
  }

  /** Compaction leaves holes, so an offset may be above what is due, but never below. */
  private void check(long expected, boolean exact) throws BadEntryException {
    if (exact ? cursor.offset() != expected : cursor.offset() < expected) {
      throw new BadEntryException(
          cursor.position(), "offset %d where %d is due".formatted(cursor.offset(), expected));
    }
    // Else it would pass for one that is not visible yet, and a reader would wait for it for ever.
    if (cursor.nextOffset() > endOffset && !cursor.isGap()) {
      throw new BadEntryException(
          cursor.position(),
          "offset %d in a segment that ends at %d".formatted(cursor.offset(), endOffset));
    }
  }

  /** Bytes from a pair to the next; large when the entry there is large. */
  private int gapBytes(int ordinal) {
    if (ordinal + 1 >= index.count()) {
      return EntryCursor.CHUNK_BYTES;
    }
    return index.position(ordinal + 1) - index.positionOrZero(ordinal);
  }
}
