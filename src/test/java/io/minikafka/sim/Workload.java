package io.minikafka.sim;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.Durability;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CheckedBatch;
import io.minikafka.record.Header;
import io.minikafka.sim.SentBatch.Sent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes random batches: both versions, with and without keys, headers and values, from one small
 * record to several index intervals.
 *
 * <p>The low bits of a record's timestamp are its number, so that a record found in a log can be
 * told even if it has neither key nor value; the high bits go up and down.
 */
final class Workload {
  private static final int NUMBER_BITS = 24;
  private static final int TIMES = 1000;

  /** That most records of compacted topics share. */
  private static final int KEYS = 6;

  private final Random random;

  /** All batches of one size, so that stale bytes of an old one fit where a new one ended. */
  private final boolean uniform;

  private long nextRecord = 1;

  /** A batch ready to be offered, and what it holds. */
  record Offer(SentBatch sent, CheckedBatch checked) {}

  Workload(Random random) {
    this.random = random;
    this.uniform = random.nextInt(3) == 0;
  }

  static long recordNumber(long timestamp) {
    return timestamp & ((1L << NUMBER_BITS) - 1);
  }

  /** A timestamp that lies anywhere among those of the records. */
  long anyTimestamp() {
    return (long) random.nextInt(TIMES + 2) << NUMBER_BITS;
  }

  /** A batch for a topic that is compacted: few keys, many tombstones. */
  Offer nextKeyed(int number, Durability wanted) {
    boolean version0 = random.nextInt(3) == 0;
    int count = random.nextInt(4) == 0 ? 1 + random.nextInt(12) : 1 + random.nextInt(3);
    BatchBuilder builder = new BatchBuilder(256);
    List<Sent> records = new ArrayList<>();
    long first = nextRecord;
    for (int i = 0; i < count; i++) {
      byte[] key = {(byte) random.nextInt(random.nextInt(4) == 0 ? 40 : KEYS)};
      boolean tombstone = !version0 && random.nextInt(4) == 0;
      Sent sent =
          new Sent(
              nextTimestamp(),
              Optional.of(Bytes.of(key)),
              tombstone ? Optional.empty() : upTo(90),
              List.of());
      builder.append(sent.timestamp(), key, array(sent.value()), sent.headers());
      records.add(sent);
    }
    CheckedBatch checked = check(builder, version0, count);
    return new Offer(new SentBatch(number, first, records, checked.bytes(), wanted), checked);
  }

  Offer next(int number, Durability wanted) {
    boolean version0 = random.nextInt(3) == 0;
    int count = random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 1 + random.nextInt(4);
    int largest = random.nextInt(5) == 0 ? 2000 : 120;
    if (uniform) {
      count = 2;
    }
    BatchBuilder builder = new BatchBuilder(256);
    List<Sent> records = new ArrayList<>();
    long first = nextRecord;
    for (int i = 0; i < count; i++) {
      Sent sent = uniform ? record(4, 40) : anyRecord(version0, largest);
      builder.append(sent.timestamp(), array(sent.key()), array(sent.value()), sent.headers());
      records.add(sent);
    }
    CheckedBatch checked = check(builder, version0, count);
    return new Offer(new SentBatch(number, first, records, checked.bytes(), wanted), checked);
  }

  private Sent record(int keyBytes, int valueBytes) {
    return new Sent(
        nextTimestamp(), Optional.of(bytes(keyBytes)), Optional.of(bytes(valueBytes)), List.of());
  }

  private Sent anyRecord(boolean version0, int largest) {
    Optional<Bytes> key = version0 || random.nextBoolean() ? upTo(12) : Optional.empty();
    Optional<Bytes> value = version0 || random.nextInt(8) > 0 ? upTo(largest) : Optional.empty();
    List<Header> headers =
        version0 || random.nextInt(4) > 0
            ? List.of()
            : List.of(new Header("h", upTo(9)), new Header("", Optional.empty()));
    return new Sent(nextTimestamp(), key, value, headers);
  }

  private long nextTimestamp() {
    return (long) random.nextInt(TIMES) << NUMBER_BITS | nextRecord++;
  }

  private static CheckedBatch check(BatchBuilder builder, boolean version0, int count) {
    ByteBuffer from = version0 ? builder.version0() : builder.version1();
    int room = version0 ? BatchMarker.BYTES : 0;
    ByteBuffer frame =
        ByteBuffer.allocate(room + from.remaining()).order(ByteOrder.LITTLE_ENDIAN).position(room);
    frame.put(from).position(room);
    Bytes bytes = Bytes.of(frame);
    BatchCheck check = version0 ? BatchCheck.version0(bytes, count) : BatchCheck.version1(bytes);
    return switch (check) {
      case CheckedBatch good -> good;
      case BatchCheck.Refused refused -> throw new AssertionError(refused.reason());
    };
  }

  private Optional<Bytes> upTo(int limit) {
    return Optional.of(bytes(random.nextInt(limit)));
  }

  private Bytes bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }

  private static byte @Nullable [] array(Optional<Bytes> bytes) {
    return bytes.map(Bytes::toArray).orElse(null);
  }
}
