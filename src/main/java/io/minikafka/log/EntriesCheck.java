package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Crc32c;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Looks at the entries behind a marker: bounds, checksum, offset and span of each, and that all of
 * them together are what the marker binds. Adds the batch to the indexes on the way, and takes it
 * out again if it turns out bad.
 *
 * <p>One thread; reused from batch to batch. Nothing is allocated for an entry.
 */
final class EntriesCheck {
  private final Window window;
  private final SegmentIndexes indexes;
  private final Crc32c checksum = new Crc32c();

  EntriesCheck(Window window, SegmentIndexes indexes) {
    this.window = window;
    this.indexes = indexes;
  }

  /**
   * @param markerPosition where the marker stands; its batch lies wholly in the file
   * @return what is wrong; empty if nothing is
   */
  String check(BatchMarker marker, int markerPosition) throws IOException {
    SegmentIndexes.Mark before = indexes.mark();
    indexes.addMarker(
        marker.baseOffset(), markerPosition, marker.maxTimestamp(), marker.appendTime());
    String wrong = walk(marker, markerPosition + BatchMarker.BYTES);
    if (!wrong.isEmpty()) {
      indexes.backTo(before);
    }
    return wrong;
  }

  private String walk(BatchMarker marker, int begin) throws IOException {
    boolean maySkip = (marker.flags() & BatchMarker.FLAG_COMPACTED) != 0;
    long limitOffset = marker.baseOffset() + marker.span();
    long next = marker.baseOffset();
    long hash = EntriesHash.start(marker.span());
    int at = begin;
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
      if (!Entry.checksumHolds(in, index, checksum)) {
        return wrong(count, "its checksum does not match its bytes");
      }
      long offset = Entry.offset(in, index);
      int span = Entry.span(in, index);
      boolean follows = maySkip ? offset >= next : offset == next;
      if (!follows || offset > limitOffset - span) {
        return wrong(count, "it carries offset %d, expected was %d".formatted(offset, next));
      }
      indexes.addEntry(offset, at);
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

  private static String wrong(int count, String what) {
    return "entry %d of the batch: %s".formatted(count, what);
  }
}
