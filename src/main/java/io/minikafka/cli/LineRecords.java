package io.minikafka.cli;

import io.minikafka.client.ProducerRecord;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.Entry;
import io.minikafka.record.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes records of lines, as {@code produce} was told. Immutable. */
final class LineRecords {
  private final String topic;
  private final @Nullable Integer partition;
  private final byte @Nullable [] key;
  private final byte @Nullable [] separator;
  private final byte @Nullable [] nullValue;
  private final List<Header> headers;

  /**
   * @param partition null: the producer chooses
   * @param key of every record; null: none, or what stands before the separator
   * @param separator between key and value; null: a line is a value
   * @param nullValue a value like this is sent as null; null: none is
   */
  LineRecords(
      String topic,
      @Nullable Integer partition,
      @Nullable String key,
      @Nullable String separator,
      @Nullable String nullValue,
      List<Header> headers) {
    this.topic = topic;
    this.partition = partition;
    this.key = utf8(key);
    this.separator = utf8(separator);
    this.nullValue = utf8(nullValue);
    this.headers = headers;
  }

  /** A line with more bytes makes no record, whatever is in it. */
  int maxLineBytes() {
    int ofTheFormat = Entry.PLAIN_OVERHEAD_BYTES - Entry.HEADER_BYTES;
    return Entry.MAX_PAYLOAD_BYTES - ofTheFormat + (separator == null ? 0 : separator.length);
  }

  /**
   * @param number of the line, for errors
   * @throws IOException if the line is not what it must be; names it
   */
  ProducerRecord of(byte[] line, long number) throws IOException {
    byte[] recordKey = key;
    byte[] value = line;
    if (separator != null) {
      int at = indexOf(line, separator);
      if (at < 0) {
        throw new IOException(
            "line %d has no '%s' between key and value"
                .formatted(number, new String(separator, StandardCharsets.UTF_8)));
      }
      recordKey = Arrays.copyOf(line, at);
      value = Arrays.copyOfRange(line, at + separator.length, line.length);
    }
    boolean tombstone = nullValue != null && Arrays.equals(value, nullValue);
    if (tombstone && recordKey == null) {
      throw new IOException("line %d: a tombstone needs a key".formatted(number));
    }
    long bytes =
        BatchBuilder.entryBytes(recordKey, tombstone ? null : value, headers) - Entry.HEADER_BYTES;
    if (bytes > Entry.MAX_PAYLOAD_BYTES) {
      throw new IOException(
          "line %d makes a record of %d bytes, with its key, its headers and what the format adds; the most is %d (16 MiB)"
              .formatted(number, bytes, Entry.MAX_PAYLOAD_BYTES));
    }
    ProducerRecord record;
    if (recordKey == null) {
      record = ProducerRecord.of(topic, value);
    } else {
      record =
          tombstone
              ? ProducerRecord.tombstone(topic, recordKey)
              : ProducerRecord.of(topic, recordKey, value);
    }
    if (!headers.isEmpty()) {
      record = record.withHeaders(headers);
    }
    return partition == null ? record : record.inPartition(partition);
  }

  private static int indexOf(byte[] in, byte[] what) {
    for (int at = 0; at <= in.length - what.length; at++) {
      if (Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
        return at;
      }
    }
    return -1;
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
