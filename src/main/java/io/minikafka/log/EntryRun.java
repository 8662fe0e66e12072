package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Whole entries behind a damaged marker: as long as they are there and continue the offsets it is
 * known how far the batch goes, although its marker says nothing any more.
 *
 * @param endPosition behind the last of them
 * @param nextOffset likewise
 */
record EntryRun(int endPosition, long nextOffset) {
  /**
   * @param markerPosition where the damaged marker stands
   * @param expected the offset of the first entry behind it, or less in a compacted batch
   * @param limitOffset no entry reaches beyond it
   * @return empty if not even one whole entry is there
   */
  static Optional<EntryRun> behind(
      Window window, int markerPosition, long expected, long limitOffset) throws IOException {
    int room = window.size() - markerPosition;
    if (room <= BatchMarker.BYTES) {
      return Optional.empty();
    }
    int begin = markerPosition + BatchMarker.BYTES;
    int at = begin;
    long next = expected;
    int bytes = wholeEntry(window, at, next, limitOffset);
    while (bytes > 0) {
      int index = window.index(at, bytes);
      next = Entry.offset(window.buffer(), index) + Entry.span(window.buffer(), index);
      at += bytes;
      bytes = wholeEntry(window, at, next, limitOffset);
    }
    return at == begin ? Optional.empty() : Optional.of(new EntryRun(at, next));
  }

  /** Bytes of the entry at {@code at} if it is whole, no marker, and not below {@code next}. */
  private static int wholeEntry(Window window, int at, long next, long limitOffset)
      throws IOException {
    int room = window.size() - at;
    if (room < Entry.PLAIN_OVERHEAD_BYTES) {
      return 0;
    }
    int index = window.index(at, Entry.PLAIN_OVERHEAD_BYTES);
    int payload = Entry.payloadBytes(window.buffer(), index);
    int most = Math.min(Entry.MAX_PAYLOAD_BYTES, room - Entry.HEADER_BYTES);
    if (payload < 12 || payload > most || BatchMarker.isMarker(window.buffer(), index)) {
      return 0;
    }
    int bytes = Entry.HEADER_BYTES + payload;
    index = window.index(at, bytes);
    ByteBuffer in = window.buffer();
    boolean whole =
        Entry.problem(in, index, index + bytes) == Problem.NONE
            && Entry.offset(in, index) >= next
            && Entry.offset(in, index) <= limitOffset - Entry.span(in, index)
            && Entry.checksumHolds(in, index);
    return whole ? bytes : 0;
  }
}
