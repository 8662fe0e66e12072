package io.minikafka.record;

import io.minikafka.record.Entry.Problem;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Walks the entries blob of a fetch and gives its records: markers and gaps are passed over, an
 * entry cut off at the end ends the walk. One thread.
 *
 * <p>An entry of a kind that may hold records this reader cannot give is refused like a corrupt
 * one: passing over it would lose records without a word. A client says in its fetch which kinds it
 * reads, so none of them should come.
 *
 * <p>Checks what the wire can break: shapes, checksums of records and markers, and that every entry
 * starts where the one before ended ({@link CorruptEntryException} otherwise). It does not check a
 * marker's hash over its entries: a fetch may begin or end inside a batch.
 */
public final class RecordReader {
  /** Is told of offsets that a repair gave up, when the walk passes over them. */
  public interface LostOffsets {
    /** Tells nobody. */
    LostOffsets IGNORED = (from, to) -> {};

    /**
     * @param to the offset behind the last
     */
    void passed(long from, long to);
  }

  private final Crc32c checksum = new Crc32c();
  private final ByteBuffer in;
  private final int limit;
  private final long fromOffset;
  private final LostOffsets lost;
  private int at;
  private long nextOffset = -1;

  /** Between a marker whose batch was compacted and the next one: offsets may skip. */
  private boolean insideCompacted;

  private int markerAt = -1;

  /**
   * @param entries little-endian; its remaining bytes are walked, it is not changed
   * @param fromOffset records below it are passed over (the first entry may begin before it)
   */
  public RecordReader(ByteBuffer entries, long fromOffset) {
    this(entries, fromOffset, false);
  }

  /**
   * @param insideCompacted whether the entries before the first marker may belong to a batch that
   *     was compacted, so that their offsets may skip
   */
  public RecordReader(ByteBuffer entries, long fromOffset, boolean insideCompacted) {
    this(entries, fromOffset, insideCompacted, LostOffsets.IGNORED);
  }

  /**
   * @param lost told inside of {@link #next}, of no offset below {@code fromOffset}
   */
  public RecordReader(
      ByteBuffer entries, long fromOffset, boolean insideCompacted, LostOffsets lost) {
    this.in = entries;
    this.insideCompacted = insideCompacted;
    this.at = entries.position();
    this.limit = entries.limit();
    this.fromOffset = fromOffset;
    this.lost = lost;
  }

  /**
   * The next record, or null at the end.
   *
   * @throws CorruptEntryException if the bytes are not what the format says
   */
  public @Nullable RecordView next() {
    while (true) {
      if (limit - at < Entry.HEADER_BYTES + 12) {
        return null;
      }
      Problem problem = Entry.problem(in, at, limit);
      if (problem == Problem.SHORT && Entry.payloadBytes(in, at) <= Entry.MAX_PAYLOAD_BYTES) {
        return null;
      }
      if (problem != Problem.NONE) {
        throw new CorruptEntryException(expected(), problem.text());
      }
      if (!Entry.checksumHolds(in, at, checksum)) {
        throw new CorruptEntryException(expected(), "its checksum does not match its bytes");
      }
      int kind = Entry.kind(Entry.kword(in, at));
      long offset = Entry.offset(in, at);
      int span = Entry.span(in, at);
      // The first entry may lie before fromOffset (a batch, a span) or behind it (compaction).
      if (nextOffset >= 0 && !follows(offset)) {
        throw new CorruptEntryException(
            expected(), "the entry found there carries offset " + offset);
      }
      if (offset < 0 || offset + span < 0) {
        throw new CorruptEntryException(expected(), "an impossible offset " + offset);
      }
      boolean isRecord = kind == Entry.PLAIN || kind == Entry.KIND_ATTRIBUTED;
      if (!isRecord && kind != Entry.KIND_MARKER && kind != Entry.KIND_GAP) {
        throw new CorruptEntryException(
            offset, "an entry of kind %d, unknown here".formatted(kind));
      }
      if (kind == Entry.KIND_MARKER) {
        markerAt = at;
        insideCompacted = (Entry.flags(Entry.kword(in, at)) & BatchMarker.FLAG_COMPACTED) != 0;
      }
      int here = at;
      at += Entry.bytes(in, at);
      nextOffset = offset + span;
      if (kind == Entry.KIND_GAP
          && (Entry.flags(Entry.kword(in, here)) & Entry.FLAG_LOST) != 0
          && nextOffset > fromOffset) {
        lost.passed(Math.max(offset, fromOffset), nextOffset);
      }
      if (isRecord && offset >= fromOffset) {
        return new RecordView(in, here);
      }
    }
  }

  /** The offset behind the last entry that was walked over; {@code fromOffset} before the first. */
  public long nextOffset() {
    return Math.max(nextOffset, fromOffset);
  }

  /** Whether what follows the last entry walked over may begin at a larger offset. */
  public boolean insideCompacted() {
    return insideCompacted;
  }

  /** Index of the last marker that was walked over; −1 before the first. */
  public int markerAt() {
    return markerAt;
  }

  private boolean follows(long offset) {
    return insideCompacted ? offset >= nextOffset : offset == nextOffset;
  }

  private long expected() {
    return nextOffset();
  }
}
