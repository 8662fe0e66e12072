package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Looks at the entries behind a marker: bounds, checksum, offset and span of each, and that all of
 * them together are what the marker binds. Remembers where index pairs are due, so that a batch
 * which turns out bad leaves nothing in the index.
 *
 * <p>One thread; reused from batch to batch. Nothing is allocated for an entry.
 */
final class EntriesCheck {
  private final Window window;
  private final int intervalBytes;

  // Written only by check: where pairs are due in the batch looked at last.
  private long[] dueOffsets = new long[64];
  private int[] duePositions = new int[64];
  private int dueCount;

  EntriesCheck(Window window, int intervalBytes) {
    this.window = window;
    this.intervalBytes = intervalBytes;
  }

  /**
   * @param markerPosition where the marker stands; its batch lies wholly in the file
   * @param duePosition from where on a pair is due
   * @return what is wrong; empty if nothing is
   */
  String check(BatchMarker marker, int markerPosition, long duePosition) throws IOException {
    dueCount = 0;
    // Where the marker gets a pair its first record gets none.
    int entriesPosition = markerPosition + BatchMarker.BYTES;
    boolean markerIsDue = markerPosition > 0 && entriesPosition >= duePosition;
    long due = markerIsDue ? (long) markerPosition + intervalBytes : duePosition;
    long indexedOffset = markerIsDue ? marker.baseOffset() : -1;
    boolean maySkip = (marker.flags() & BatchMarker.FLAG_COMPACTED) != 0;
    long limitOffset = marker.baseOffset() + marker.span();
    long next = marker.baseOffset();
    long hash = EntriesHash.start(marker.span());
    int at = entriesPosition;
    int limit = at + marker.bytes();
    int count = 0;
    while (at < limit) {
      if (limit - at < Entry.PLAIN_OVERHEAD_BYTES) {
        return wrong(count, "an entry goes beyond the end of the batch");
      }
      int index = window.index(at, Entry.PLAIN_OVERHEAD_BYTES);
      int payload = Entry.payloadBytes(window.buffer(), index);
      if (payload < 12 || payload > Entry.MAX_PAYLOAD_BYTES) {
        return wrong(count, Problem.LENGTH.text());
      }
      int bytes = Entry.HEADER_BYTES + payload;
      if (bytes > limit - at) {
        return wrong(count, "an entry goes beyond the end of the batch");
      }
      index = window.index(at, bytes);
      ByteBuffer in = window.buffer();
      Problem problem = Entry.problem(in, index, index + bytes);
      if (problem != Problem.NONE) {
        return wrong(count, problem.text());
      }
      if (BatchMarker.isMarker(in, index)) {
        return wrong(count, "a second marker inside the batch");
      }
      if (!Entry.checksumHolds(in, index)) {
        return wrong(count, "its checksum does not match its bytes");
      }
      long offset = Entry.offset(in, index);
      int span = Entry.span(in, index);
      boolean follows = maySkip ? offset >= next : offset == next;
      if (!follows || offset > limitOffset - span) {
        return wrong(count, "it carries offset %d, expected was %d".formatted(offset, next));
      }
      if (at >= due && offset > indexedOffset) {
        remember(offset, at);
        due = (long) at + intervalBytes;
        indexedOffset = offset;
      }
      hash = EntriesHash.add(hash, in.getLong(index + Entry.LENGTH));
      next = offset + span;
      at += bytes;
      count++;
    }
    if (next != limitOffset && !maySkip) {
      return "its entries end at offset %d, the marker says %d".formatted(next, limitOffset);
    }
    return EntriesHash.finish(hash) == marker.entriesHash()
        ? ""
        : "the marker's hash is not that of its entries";
  }

  /** Adds the batch that was found whole. */
  void index(BatchMarker marker, int markerPosition, SegmentIndexes indexes) {
    indexes.addMarker(
        marker.baseOffset(), markerPosition, marker.maxTimestamp(), marker.appendTime());
    for (int i = 0; i < dueCount; i++) {
      indexes.addEntry(dueOffsets[i], duePositions[i]);
    }
  }

  private void remember(long offset, int position) {
    if (dueCount == dueOffsets.length) {
      dueOffsets = Arrays.copyOf(dueOffsets, dueCount * 2);
      duePositions = Arrays.copyOf(duePositions, dueCount * 2);
    }
    dueOffsets[dueCount] = offset;
    duePositions[dueCount] = position;
    dueCount++;
  }

  private static String wrong(int count, String what) {
    return "entry %d of the batch: %s".formatted(count, what);
  }
}
