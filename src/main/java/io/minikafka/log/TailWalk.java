package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds out where a segment ends without reading it whole: walks from its last index pairs to the
 * end of the file, by lengths and offsets alone. So it tells whether pairs point at what they say,
 * and whether anything is missing at the end; it does not look for damage inside.
 */
final class TailWalk {
  private final Window window;
  private final OffsetIndex index;
  private final LogRules rules;

  // What was seen of the stretch walked last.
  private long endOffset;
  private boolean sawMarker;
  private BatchMarker lastMarker = NO_MARKER;
  private int lastMarkerCrc;

  private static final BatchMarker NO_MARKER = BatchMarker.produced(Long.MIN_VALUE, 0, 0, 0);

  /**
   * The end of a segment.
   *
   * @param endOffset behind the last entry
   * @param lastMarkerCrc checksum of the last marker
   * @param lastAppendTime of the last batch, ms
   * @param lastBaseOffset of the last batch
   */
  record Tail(long endOffset, int lastMarkerCrc, long lastAppendTime, long lastBaseOffset) {
    /** Whether the last batch is what a time index ends with. */
    boolean isLastOf(TimeIndex times) {
      int last = times.count() - 1;
      return last >= 0
          && times.offset(last) == lastBaseOffset
          && times.appendTime(last) == lastAppendTime;
    }
  }

  private TailWalk(Window window, OffsetIndex index, LogRules rules) {
    this.window = window;
    this.index = index;
    this.rules = rules;
  }

  /**
   * @param window turned to the segment's file, which is not empty
   * @param index of the segment, or its last pairs
   * @param baseOffset of the segment
   * @param whole whether position 0 may be walked from if the pairs do not reach a marker
   * @return empty if the file and the index do not fit together, or there is no marker
   */
  static Optional<Tail> of(
      Window window, OffsetIndex index, LogRules rules, long baseOffset, boolean whole)
      throws IOException {
    return new TailWalk(window, index, rules).walk(baseOffset, whole);
  }

  /**
   * Whether the last entries lead to an offset.
   *
   * @param window turned to the segment's file
   * @param index of the segment, or its last pairs
   * @return false also if the file and the index do not fit together
   */
  static boolean endsAt(
      Window window, OffsetIndex index, LogRules rules, long baseOffset, long limitOffset)
      throws IOException {
    TailWalk walk = new TailWalk(window, index, rules);
    int last = index.count() - 1;
    int from = index.positionOrZero(last);
    long offset = last < 0 ? baseOffset : index.offset(last);
    if (from >= window.size() || !walk.walkStretch(from, offset, window.size())) {
      return false;
    }
    // A compacted batch may reach further than its entries; only its marker knows.
    return walk.endOffset == limitOffset
        || of(window, index, rules, baseOffset, last < 0)
            .filter(tail -> tail.endOffset() == limitOffset)
            .isPresent();
  }

  private Optional<Tail> walk(long baseOffset, boolean whole) throws IOException {
    int limit = window.size();
    long follows = -1;
    long end = -1;
    for (int ordinal = index.count() - 1; ordinal >= (whole ? -1 : 0); ordinal--) {
      int from = index.positionOrZero(ordinal);
      long offset = ordinal < 0 ? baseOffset : index.offset(ordinal);
      if (from >= limit || !walkStretch(from, offset, limit)) {
        return Optional.empty();
      }
      if (end < 0) {
        end = endOffset;
      } else if (endOffset > follows) {
        return Optional.empty();
      }
      if (sawMarker) {
        // The last entries of a compacted batch may be gone; its marker still spans them.
        long marked = lastMarker.baseOffset() + lastMarker.span();
        long last = isCompacted(lastMarker) ? Math.max(end, marked) : end;
        return Optional.of(
            new Tail(last, lastMarkerCrc, lastMarker.appendTime(), lastMarker.baseOffset()));
      }
      follows = offset;
      limit = from;
    }
    return Optional.empty();
  }

  /** Whether whole entries lead from one position to the other, the first with that offset. */
  private boolean walkStretch(int from, long offset, int to) throws IOException {
    sawMarker = false;
    long next = offset;
    boolean first = true;
    int at = from;
    while (at < to) {
      if (to - at < Entry.PLAIN_OVERHEAD_BYTES) {
        return false;
      }
      int in = window.index(at, Entry.PLAIN_OVERHEAD_BYTES);
      int payload = Entry.payloadBytes(window.buffer(), in);
      if (payload < 12
          || payload > Entry.MAX_PAYLOAD_BYTES
          || payload > to - at - Entry.HEADER_BYTES) {
        return false;
      }
      int bytes = Entry.HEADER_BYTES + payload;
      in = window.index(at, bytes);
      ByteBuffer buffer = window.buffer();
      long found = Entry.offset(buffer, in);
      // Inside a compacted batch offsets may skip, and the first entries may lie inside one.
      boolean maySkip = !first && (!sawMarker || isCompacted(lastMarker));
      boolean follows = maySkip ? found >= next : found == next;
      if (!follows || Entry.problem(buffer, in, in + bytes) != Problem.NONE) {
        return false;
      }
      if (BatchMarker.isMarker(buffer, in) && !marker(buffer, in)) {
        return false;
      }
      next = found + Entry.span(buffer, in);
      at += bytes;
      first = false;
    }
    endOffset = next;
    return true;
  }

  private static boolean isCompacted(BatchMarker marker) {
    return (marker.flags() & BatchMarker.FLAG_COMPACTED) != 0;
  }

  private boolean marker(ByteBuffer in, int at) {
    if (BatchMarker.check(in, at, at + BatchMarker.BYTES) != BatchMarker.Check.GOOD) {
      return false;
    }
    lastMarker = BatchMarker.read(in, at);
    lastMarkerCrc = Entry.crc(in, at);
    sawMarker = true;
    return lastMarker.partitionHash() == rules.partitionHash();
  }
}
