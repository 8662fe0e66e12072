package io.minikafka.record;

import java.nio.ByteBuffer;

/**
 * What a version 0 client gets to see of a log: plain records with a key, nothing else. Markers and
 * gaps are left out, a null key becomes an empty one, an attributed record a plain one without its
 * headers, a null value an empty one; what changes gets its own length and checksum.
 *
 * <p><b>Misuse.</b> The stored checksum is to be checked before: a new one would vouch for bytes
 * that nobody looked at.
 */
public final class V0Entries {
  private V0Entries() {}

  /** Bytes the record takes in version 0. */
  public static int convertedBytes(RecordView record) {
    return Entry.PLAIN_OVERHEAD_BYTES
        + record.key().map(key -> key.length()).orElse(0)
        + record.value().map(value -> value.length()).orElse(0);
  }

  /** Appends the record as version 0 knows it; {@link #convertedBytes} must fit. */
  public static void convert(RecordView record, ByteBuffer out) {
    ByteBuffer in = record.buffer();
    if (Entry.kword(in, record.at()) >= 0) {
      out.put(in.slice(record.at(), record.bytes()));
      return;
    }
    int at = out.position();
    out.putLong(record.offset())
        .putInt(convertedBytes(record) - Entry.HEADER_BYTES)
        .putInt(0)
        .putLong(record.timestamp())
        .putInt(record.key().map(key -> key.length()).orElse(0));
    record.key().ifPresent(key -> out.put(key.buffer()));
    record.value().ifPresent(value -> out.put(value.buffer()));
    Entry.stampChecksum(out, at);
  }
}
