package io.minikafka.record;

import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plain or attributed record in a buffer, looked at without copying. Valid as long as the
 * buffer's bytes are; its shape was checked before.
 *
 * @param buffer little-endian
 * @param at index of the entry
 */
public record RecordView(ByteBuffer buffer, int at) {
  public long offset() {
    return Entry.offset(buffer, at);
  }

  /** Milliseconds since the epoch, as the producer set it. */
  public long timestamp() {
    return Entry.timestamp(buffer, at);
  }

  /** Bytes of the whole entry. */
  public int bytes() {
    return Entry.bytes(buffer, at);
  }

  /** Empty means null, which is not the same as a key of no bytes. */
  public Optional<Bytes> key() {
    int length = keyLength();
    return length < 0 ? Optional.empty() : Optional.of(slice(keyAt(), length));
  }

  /** Length of the key; −1 if it is null. */
  public int keyBytes() {
    return keyLength();
  }

  /** Copies the key, which is not null, to the begin of {@code into}. */
  public void copyKey(byte[] into) {
    buffer.get(keyAt(), into, 0, keyLength());
  }

  /** Whether the value is null. */
  public boolean isTombstone() {
    return isAttributed() && (flags() & Entry.FLAG_NULL_VALUE) != 0;
  }

  /** Empty means null: a tombstone. */
  public Optional<Bytes> value() {
    if (isTombstone()) {
      return Optional.empty();
    }
    int from = keyAt() + Math.max(keyLength(), 0) + headersLength();
    return Optional.of(slice(from, at + bytes() - from));
  }

  /** In the order they were sent. Key bytes that are not UTF-8 appear as U+FFFD. */
  public List<Header> headers() {
    if (headersLength() == 0) {
      return List.of();
    }
    int next = keyAt() + Math.max(keyLength(), 0);
    int count = buffer.getInt(next);
    next += 4;
    List<Header> headers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int keyLength = buffer.getInt(next);
      String key = new String(slice(next + 4, keyLength).toArray(), StandardCharsets.UTF_8);
      next += 4 + keyLength;
      int valueLength = buffer.getInt(next);
      next += 4;
      headers.add(
          new Header(
              key, valueLength < 0 ? Optional.empty() : Optional.of(slice(next, valueLength))));
      next += Math.max(valueLength, 0);
    }
    return headers;
  }

  private boolean isAttributed() {
    return Entry.kind(Entry.kword(buffer, at)) == Entry.KIND_ATTRIBUTED;
  }

  private int flags() {
    return Entry.flags(Entry.kword(buffer, at));
  }

  private int keyLength() {
    return isAttributed() ? buffer.getInt(at + Attributed.KEY_LENGTH) : Entry.kword(buffer, at);
  }

  private int headersLength() {
    return isAttributed() ? buffer.getInt(at + Attributed.HEADERS_LENGTH) : 0;
  }

  private int keyAt() {
    return at + (isAttributed() ? Attributed.KEY : Entry.BODY);
  }

  private Bytes slice(int from, int length) {
    return Bytes.of(buffer.slice(from, length));
  }
}
