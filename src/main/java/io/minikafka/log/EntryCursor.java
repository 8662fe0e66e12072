package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks the entries of a segment by their headers and reads little more than these: small entries
 * are read in chunks, of large ones only the head. One thread.
 *
 * <p>What it returns has possible lengths, kinds and spans and lies within the limit. Offsets are
 * for the caller to compare, checksums are not looked at.
 */
final class EntryCursor {
  /** Bytes read at once while entries are small. */
  static final int CHUNK_BYTES = 4096;

  /** Enough for a marker, and for the head of anything else. */
  private static final int HEAD_BYTES = BatchMarker.BYTES;

  private final DiskFile file;
  private final int limit;
  private final int chunkBytes;

  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int bufferPosition;
  private int expectedBytes;

  // The entry under the cursor, after read().
  private int position;
  private int at;
  private int bytes;
  private int span;

  /**
   * @param limit bytes of the file that may be looked at; an entry boundary
   * @param chunkBytes at least {@link #CHUNK_BYTES}
   */
  EntryCursor(DiskFile file, int limit, int chunkBytes) {
    this.file = file;
    this.limit = limit;
    this.chunkBytes = chunkBytes;
  }

  /**
   * Goes to an entry boundary.
   *
   * @param expectBytes how much is likely to be walked from there; more than two chunks mean that
   *     the entry itself is large
   */
  void seek(int toPosition, int expectBytes) {
    position = toPosition;
    expectedBytes = Math.max(expectBytes, 0);
    bytes = 0;
  }

  /**
   * Looks at the entry at the cursor.
   *
   * @return false at the limit
   * @throws BadEntryException if there is no possible entry
   */
  boolean read() throws IOException {
    if (position == limit) {
      return false;
    }
    int room = limit - position;
    if (room < Entry.BODY) {
      throw new BadEntryException(position, "%d bytes are no entry".formatted(room));
    }
    load(Math.min(HEAD_BYTES, room));
    int payload = Entry.payloadBytes(buffer, at);
    if (payload < Entry.leastPayloadBytes(Entry.PLAIN)
        || payload > Entry.MAX_PAYLOAD_BYTES
        || payload > room - Entry.HEADER_BYTES
        || payload < Entry.leastPayloadBytes(kind())
        || (isMarker() && payload != BatchMarker.PAYLOAD_BYTES)) {
      throw new BadEntryException(position, "an impossible length of " + payload);
    }
    span = Entry.span(buffer, at);
    if (!isMarker() && (span < 1 || offset() < 0 || offset() > Long.MAX_VALUE - span)) {
      throw new BadEntryException(position, "an impossible offset or span");
    }
    bytes = Entry.HEADER_BYTES + payload;
    return true;
  }

  /** Moves behind the entry that was read. */
  void advance() {
    position += bytes;
    expectedBytes = bytes > chunkBytes ? Integer.MAX_VALUE : chunkBytes;
  }

  int position() {
    return position;
  }

  /** Bytes of the whole entry. */
  int bytes() {
    return bytes;
  }

  int endPosition() {
    return position + bytes;
  }

  long offset() {
    return Entry.offset(buffer, at);
  }

  /** Offsets it takes: 0 for a marker. */
  int span() {
    return span;
  }

  long nextOffset() {
    return offset() + span;
  }

  long timestamp() {
    return Entry.timestamp(buffer, at);
  }

  boolean isMarker() {
    return kind() == Entry.KIND_MARKER;
  }

  boolean isGap() {
    return kind() == Entry.KIND_GAP;
  }

  /** Whether the checksum of a gap, all of which is in memory, is right. */
  boolean checkGap() {
    return bytes == GapEntry.BYTES && Entry.checksumHolds(buffer, at);
  }

  /** Whether the entry is a marker in every respect; all of it is in memory. */
  BatchMarker.Check checkMarker() {
    return BatchMarker.check(buffer, at, buffer.limit());
  }

  /** All fields of a marker that {@link #checkMarker} found good. */
  BatchMarker marker() {
    return BatchMarker.read(buffer, at);
  }

  private int kind() {
    return Entry.kind(Entry.kword(buffer, at));
  }

  private void load(int need) throws IOException {
    at = position - bufferPosition;
    if (at >= 0 && at <= buffer.limit() - need) {
      return;
    }
    // A gap of an interval and a small entry comes whole; more than two chunks are a large entry.
    int want =
        expectedBytes > 2 * chunkBytes ? 0 : Math.min(expectedBytes, chunkBytes + HEAD_BYTES);
    want = Math.min(want + HEAD_BYTES, limit - position);
    if (buffer.capacity() < want) {
      buffer = ByteBuffer.allocate(want).order(ByteOrder.LITTLE_ENDIAN);
    }
    buffer.clear().limit(want);
    if (file.read(buffer, position) < want) {
      throw new BadEntryException(position, "the file ends within what was written to it");
    }
    buffer.flip();
    bufferPosition = position;
    at = 0;
  }
}
