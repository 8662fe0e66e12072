package io.minikafka.sim;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.Durability;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Header;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** A batch as it was sent, and what is known of its fate. Written only by {@link ModelLog}. */
final class SentBatch {
  /** One record as it was sent. */
  record Sent(long timestamp, Optional<Bytes> key, Optional<Bytes> value, List<Header> headers) {}

  /** What may be said of a batch. */
  enum Fate {
    /** Not answered yet: it may be in the log or not. */
    OPEN,
    /** Acknowledged as written: survives the process, not the machine. */
    WRITTEN,
    /** Acknowledged as flushed, or seen in the log after a restart: survives everything. */
    DURABLE,
    /** Refused before anything was written: must never be seen. */
    REFUSED,
    /** Its storage failed: it may or may not turn up at the next start. */
    UNKNOWN,
    /** Not there after a restart: must never be seen again. */
    GONE
  }

  /** Its place in the order of all batches offered to the partition. */
  final int number;

  final long firstRecord;
  final List<Sent> records;
  final int bytes;
  final Durability wanted;

  Fate fate = Fate.OPEN;

  /** Of records, by index: compaction has removed them. */
  final BitSet removed = new BitSet();

  boolean answered;

  /** −1 until it was acknowledged or seen. */
  long baseOffset = -1;

  /** When it was appended by the broker's clock, ms; the least value until that is known. */
  long appendTime = Long.MIN_VALUE;

  SentBatch(int number, long firstRecord, List<Sent> records, int bytes, Durability wanted) {
    this.number = number;
    this.firstRecord = firstRecord;
    this.records = records;
    this.bytes = bytes;
    this.wanted = wanted;
  }

  long nextOffset() {
    return baseOffset + records.size();
  }

  /** Bytes of one record's entry, and of the marker if it stands directly before it. */
  int bytesWithMarker(int index) {
    Sent record = records.get(index);
    long entry =
        BatchBuilder.entryBytes(
            record.key().map(Bytes::toArray).orElse(null),
            record.value().map(Bytes::toArray).orElse(null),
            record.headers());
    return (int) entry + (index == 0 ? BatchMarker.BYTES : 0);
  }

  @Override
  public String toString() {
    String where = baseOffset < 0 ? "" : " at %d..%d".formatted(baseOffset, nextOffset() - 1);
    return "batch %d (%d records, %s%s)".formatted(number, records.size(), fate, where);
  }
}
