package io.minikafka.log;

import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The entry of kind 4 that stands between batches in place of those that compaction dropped, and at
 * the end of a segment's last batch in place of its last records; with a flag, in place of damage
 * that a repair skipped. Stateless.
 */
final class GapEntry {
  /** Of one as it is written: with nothing but its span. */
  static final int BYTES = Entry.BODY + Integer.BYTES;

  private GapEntry() {}

  static void write(ByteBuffer out, int at, long offset, int span) {
    write(out, at, offset, span, 0);
  }

  /** In place of damage. */
  static void writeLost(ByteBuffer out, int at, long offset, int span) {
    write(out, at, offset, span, Entry.FLAG_LOST);
  }

  private static void write(ByteBuffer out, int at, long offset, int span, int flags) {
    out.putLong(at + Entry.OFFSET, offset)
        .putInt(at + Entry.LENGTH, BYTES - Entry.HEADER_BYTES)
        .putLong(at + Entry.TIMESTAMP, 0)
        .putInt(at + Entry.KWORD, Entry.kwordOf(Entry.KIND_GAP, flags))
        .putInt(at + Entry.BODY, span);
    Entry.stampChecksum(out, at);
  }

  /**
   * The gap at a position, if a whole one stands there.
   *
   * @param expected the offset due there
   * @param limitOffset it ends at or below
   */
  static Optional<Found.Gap> at(Window window, int position, long expected, long limitOffset)
      throws IOException {
    int room = window.size() - position;
    if (room < Entry.PLAIN_OVERHEAD_BYTES) {
      return Optional.empty();
    }
    int index = window.index(position, Entry.PLAIN_OVERHEAD_BYTES);
    ByteBuffer in = window.buffer();
    int payload = Entry.payloadBytes(in, index);
    if (Entry.kind(Entry.kword(in, index)) != Entry.KIND_GAP
        || Entry.offset(in, index) != expected
        || payload < Entry.leastPayloadBytes(Entry.KIND_GAP)
        || payload > Math.min(Entry.MAX_PAYLOAD_BYTES, room - Entry.HEADER_BYTES)) {
      return Optional.empty();
    }
    int bytes = Entry.HEADER_BYTES + payload;
    index = window.index(position, bytes);
    in = window.buffer();
    int span = Entry.span(in, index);
    boolean whole =
        Entry.problem(in, index, index + bytes) == Problem.NONE
            && Entry.checksumHolds(in, index)
            && expected <= limitOffset - span;
    boolean lost = (Entry.flags(Entry.kword(in, index)) & Entry.FLAG_LOST) != 0;
    return whole
        ? Optional.of(new Found.Gap(expected, span, position, bytes, lost))
        : Optional.empty();
  }
}
