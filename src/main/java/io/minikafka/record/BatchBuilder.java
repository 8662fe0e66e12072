package io.minikafka.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes records one behind the other into a growing buffer and turns them into the blob of a
 * produce request. One thread; reusable after {@link #clear}.
 */
public final class BatchBuilder {
  private final Crc32c checksum = new Crc32c();
  private ByteBuffer buffer;
  private int count;
  private long maxTimestamp = Long.MIN_VALUE;

  public BatchBuilder(int initialBytes) {
    buffer = allocate(BatchMarker.BYTES + Math.max(initialBytes, 64));
    clear();
  }

  public void clear() {
    buffer.clear().position(BatchMarker.BYTES);
    count = 0;
    maxTimestamp = Long.MIN_VALUE;
  }

  /** Records so far. */
  public int count() {
    return count;
  }

  /** Bytes of the entries so far, without the marker. */
  public int entriesBytes() {
    return buffer.position() - BatchMarker.BYTES;
  }

  /** Bytes {@link #append} will add for such a record; more than 16 MiB + 16 is not allowed. */
  public static long entryBytes(
      byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    long body = (key == null ? 0L : key.length) + (value == null ? 0L : value.length);
    if (value != null && headers.isEmpty()) {
      return Entry.PLAIN_OVERHEAD_BYTES + body;
    }
    return Attributed.KEY + body + headersBytes(headers);
  }

  /**
   * Adds a record; plain where it can be, attributed if it has headers or a null value.
   *
   * @param timestamp ms since the epoch
   * @throws IllegalArgumentException if the payload would exceed 16 MiB; nothing is added
   */
  public BatchBuilder append(
      long timestamp, byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    long bytes = entryBytes(key, value, headers);
    if (bytes - Entry.HEADER_BYTES > Entry.MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a record of %d payload bytes; the limit is %d"
              .formatted(bytes - Entry.HEADER_BYTES, Entry.MAX_PAYLOAD_BYTES));
    }
    ByteBuffer out = room((int) bytes);
    int at = out.position();
    out.putLong(0).putInt((int) bytes - Entry.HEADER_BYTES).putInt(0).putLong(timestamp);
    if (value != null && headers.isEmpty()) {
      out.putInt(key == null ? Entry.NULL_KEY : key.length);
      put(key);
    } else {
      int flags =
          (value == null ? Entry.FLAG_NULL_VALUE : 0)
              | (headers.isEmpty() ? 0 : Entry.FLAG_HEADERS);
      out.putInt(Entry.kwordOf(Entry.KIND_ATTRIBUTED, flags));
      out.putInt(key == null ? -1 : key.length).putInt((int) headersBytes(headers));
      put(key);
      putHeaders(headers);
    }
    put(value);
    Entry.stampChecksum(out, at, checksum);
    count++;
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    return this;
  }

  /** The blob of a version 1 produce: marker and entries. A view, valid until the next change. */
  public ByteBuffer version1() {
    long hash = EntriesHash.start(count);
    int limit = buffer.position();
    for (int at = BatchMarker.BYTES; at < limit; at += Entry.bytes(buffer, at)) {
      hash = EntriesHash.add(hash, Entry.lengthAndCrc(buffer, at));
    }
    BatchMarker.produced(maxTimestamp, entriesBytes(), count, EntriesHash.finish(hash))
        .write(buffer, 0);
    return view(0);
  }

  /**
   * The blob of a version 0 produce: entries only. A view, valid until the next change. Records
   * that version 0 cannot carry (null key, headers, null value) will be refused by the broker.
   */
  public ByteBuffer version0() {
    return view(BatchMarker.BYTES);
  }

  private ByteBuffer view(int from) {
    return buffer
        .duplicate()
        .order(ByteOrder.LITTLE_ENDIAN)
        .limit(buffer.position())
        .position(from);
  }

  private void put(byte @Nullable [] bytes) {
    if (bytes != null) {
      buffer.put(bytes);
    }
  }

  private static long headersBytes(List<Header> headers) {
    if (headers.isEmpty()) {
      return 0;
    }
    long bytes = 4;
    for (Header header : headers) {
      bytes += 8L + header.key().getBytes(StandardCharsets.UTF_8).length;
      bytes += header.value().map(value -> value.length()).orElse(0);
    }
    return bytes;
  }

  private void putHeaders(List<Header> headers) {
    if (headers.isEmpty()) {
      return;
    }
    buffer.putInt(headers.size());
    for (Header header : headers) {
      byte[] key = header.key().getBytes(StandardCharsets.UTF_8);
      buffer.putInt(key.length).put(key);
      if (header.value().isEmpty()) {
        buffer.putInt(-1);
      } else {
        ByteBuffer value = header.value().get().buffer();
        buffer.putInt(value.remaining()).put(value);
      }
    }
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      long wanted = Math.max(2L * buffer.capacity(), (long) buffer.position() + bytes);
      buffer = allocate((int) Math.min(wanted, Integer.MAX_VALUE - 8L)).put(buffer.flip());
    }
    return buffer;
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
