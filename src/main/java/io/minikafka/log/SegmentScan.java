package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Walks one segment from front to back, believing nothing but the bytes: every batch is checked
 * whole, what is bad is bounded as narrowly as the format allows, and both indexes are rebuilt on
 * the way.
 *
 * <p><b>Life-cycle.</b> One pass: {@link #next} until it says {@link Found.End} or {@link
 * Found.NewerVersion}. One thread. Reads the file, never writes it.
 *
 * <p><b>Errors.</b> An {@link IOException} is a read error and says nothing about the bytes; the
 * walk cannot go on after it.
 */
final class SegmentScan {
  // Constant.
  private final Window window;
  private final LogRules rules;
  private final long limitOffset;
  private final EntriesCheck entries;
  private final MarkerSearch search;
  private final SegmentIndexes indexes;

  // Where the walk stands.
  private int position;
  private long expected;
  private int lastEpoch;

  /**
   * @param window turned to the segment's file
   * @param baseOffset of the segment
   * @param limitOffset base offset of the next segment; {@code Long.MAX_VALUE} if there is none
   * @param lastEpoch the highest epoch in the log before this segment, 0 if it is not known
   * @param indexIntervalBytes for the indexes
   */
  SegmentScan(
      Window window,
      LogRules rules,
      long baseOffset,
      long limitOffset,
      int lastEpoch,
      int indexIntervalBytes) {
    this.window = window;
    this.rules = rules;
    // Offsets in a segment are written as 31 bits above its base.
    long span = Math.min(limitOffset - baseOffset, 1L << 31);
    this.limitOffset = baseOffset + span;
    this.search = new MarkerSearch(window, rules, this.limitOffset);
    this.indexes = new SegmentIndexes(baseOffset, indexIntervalBytes);
    this.entries = new EntriesCheck(window, indexes);
    this.expected = baseOffset;
    this.lastEpoch = lastEpoch;
  }

  /** Indexes of all good batches so far. */
  SegmentIndexes indexes() {
    return indexes;
  }

  /** The highest epoch of any marker so far that belongs to this log. */
  int lastEpoch() {
    return lastEpoch;
  }

  Found next() throws IOException {
    int size = window.size();
    if (position == size) {
      return new Found.End(expected);
    }
    int room = Math.min(size - position, BatchMarker.BYTES);
    int index = window.index(position, room);
    ByteBuffer in = window.buffer();
    return switch (BatchMarker.check(in, index, index + room)) {
      case GOOD -> batch(BatchMarker.read(in, index), Entry.crc(in, index));
      case UNKNOWN_VERSION ->
          new Found.NewerVersion(
              expected, position, in.getShort(index + BatchMarker.VERSION_AT) & 0xffff);
      case BAD -> gapOrBad();
    };
  }

  private Found batch(BatchMarker marker, int markerCrc) throws IOException {
    String objection = rules.objection(marker, lastEpoch, limitOffset);
    if (objection.isEmpty() && marker.baseOffset() != expected) {
      objection = "it carries offset %d, expected was %d".formatted(marker.baseOffset(), expected);
    }
    if (!objection.isEmpty()) {
      return badRange("the marker there is not good: " + objection);
    }
    lastEpoch = marker.logEpoch();
    int at = position;
    int room = window.size() - at - BatchMarker.BYTES;
    expected = marker.baseOffset() + marker.span();
    if (marker.bytes() > room) {
      position = window.size();
      return new Found.BadBatch(
          marker,
          at,
          position,
          "its entries take %d bytes, the file ends after %d".formatted(marker.bytes(), room));
    }
    position = at + BatchMarker.BYTES + marker.bytes();
    String wrong =
        marker.offset() == marker.baseOffset()
            ? entries.check(marker, at)
            : "the marker's offset is %d in front and %d inside"
                .formatted(marker.offset(), marker.baseOffset());
    if (!wrong.isEmpty()) {
      return new Found.BadBatch(marker, at, position, wrong);
    }
    return new Found.Batch(marker, at, position - at, markerCrc);
  }

  private Found gapOrBad() throws IOException {
    Optional<Found.Gap> gap = GapEntry.at(window, position, expected, limitOffset);
    if (gap.isEmpty()) {
      return badRange("no batch begins there");
    }
    indexes.addEntry(expected, position);
    position += gap.get().bytes();
    expected += gap.get().span();
    return gap.get();
  }

  /** The walk has lost its place; where does it find it again? */
  private Found badRange(String what) throws IOException {
    int from = position;
    long fromOffset = expected;
    Optional<MarkerSearch.Place> place = search.after(from, expected, lastEpoch);
    if (place.isPresent()) {
      position = place.get().position();
      expected = place.get().baseOffset();
      return new Found.BadRange(fromOffset, expected, from, position, what);
    }
    position = window.size();
    return new Found.BadRange(fromOffset, Found.BadRange.UNKNOWN, from, position, what);
  }
}
