package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Valid batches, damaged at random. {@code -Dseed=n} repeats one round.
 *
 * <p>Nothing throws, and what is accepted can be read back whole: as many records as it says, and
 * the same in version 0's eyes.
 */
class BatchFuzzTest {
  @Test
  void damagedBatchesOfVersion1AreRefusedOrReadable() {
    int[] accepted = {0};
    forEachSeed(
        random -> {
          List<byte[]> records = records(random, BatchCheckTest.someRecords());
          byte[] batch = BatchCheckTest.version1(records.toArray(byte[][]::new));
          byte[] damaged = damaged(batch, random, 96);
          byte[] before = damaged.clone();
          switch (BatchCheck.version1(Bytes.of(damaged))) {
            case CheckedBatch checked -> {
              accepted[0]++;
              readable(checked);
            }
            case BatchCheck.Refused refused -> assertArrayEquals(before, damaged);
          }
        });
    // Damage that was no damage happens; if it never did, the test would not test acceptance.
    assertEquals(true, accepted[0] > 0 || System.getProperty("seed") != null);
  }

  @Test
  void damagedBatchesOfVersion0AreRefusedOrReadable() {
    int[] accepted = {0};
    forEachSeed(
        random -> {
          List<byte[]> records = records(random, BatchCheckTest.someRecords().subList(0, 2));
          byte[] batch = Raw.join(records.toArray(byte[][]::new));
          int count = random.nextInt(8) == 0 ? random.nextInt() : records.size();
          if (BatchCheckTest.version0(damaged(batch, random, 0), count)
              instanceof CheckedBatch checked) {
            accepted[0]++;
            assertEquals(count, checked.span());
            readable(checked);
          }
        });
    assertEquals(true, accepted[0] > 0 || System.getProperty("seed") != null);
  }

  @Test
  void garbageIsRefused() {
    forEachSeed(
        random -> {
          byte[] bytes = new byte[random.nextInt(300)];
          random.nextBytes(bytes);
          assertEquals(BatchCheck.Refused.class, BatchCheck.version1(Bytes.of(bytes)).getClass());
          assertEquals(
              BatchCheck.Refused.class,
              BatchCheckTest.version0(bytes, random.nextInt(1, 4)).getClass());
        });
  }

  /** Stamps what was accepted, as an append does, and reads it back. */
  private static void readable(CheckedBatch batch) {
    ByteBuffer buffer = batch.buffer();
    long base = 100;
    long offset = base;
    for (int at = batch.entriesAt(); at < batch.limit(); at += Entry.bytes(buffer, at)) {
      buffer.putLong(at, offset++);
    }
    BatchMarker.stamp(buffer, batch.markerAt(), base, 1, 5, 0, 6);
    ByteBuffer entries = buffer.duplicate().order(buffer.order());
    entries.limit(batch.limit()).position(batch.markerAt());
    RecordReader reader = new RecordReader(entries, base);
    int count = 0;
    ByteBuffer converted = ByteBuffer.allocate(batch.bytes() + 100).order(buffer.order());
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      assertEquals(base + count, record.offset());
      record.headers();
      V0Entries.convert(record, converted);
      count++;
    }
    assertEquals(batch.span(), count);
    assertEquals(base + count, reader.nextOffset());
    RecordReader plain = new RecordReader(converted.flip(), base);
    for (int i = 0; i < count; i++) {
      assertEquals(base + i, Objects.requireNonNull(plain.next()).offset());
    }
  }

  private static List<byte[]> records(SplittableRandom random, List<byte[]> kinds) {
    List<byte[]> records = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      records.add(kinds.get(random.nextInt(kinds.size())));
    }
    return records;
  }

  /**
   * Flips, cuts, doubles or changes; half of the time every checksum is made to match again, which
   * is what gets damage past the first look.
   */
  private static byte[] damaged(byte[] batch, SplittableRandom random, int entriesAt) {
    byte[] bytes =
        switch (random.nextInt(6)) {
          case 0 -> Arrays.copyOf(batch, random.nextInt(batch.length + 1));
          case 1 -> Arrays.copyOf(batch, batch.length + random.nextInt(40));
          case 2 -> Raw.join(batch, batch);
          default -> batch.clone();
        };
    for (int n = random.nextInt(3); n > 0 && bytes.length > 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        default -> {
          if (at + 4 <= bytes.length) {
            Raw.buffer(bytes).putInt(at, random.nextInt(-2, 40));
          }
        }
      }
    }
    if (random.nextBoolean()) {
      restampAll(bytes, entriesAt);
    }
    return bytes;
  }

  private static void restampAll(byte[] bytes, int entriesAt) {
    ByteBuffer buffer = Raw.buffer(bytes);
    long maxTimestamp = Long.MIN_VALUE;
    int count = 0;
    int at = entriesAt;
    while (at + 28 <= bytes.length
        && buffer.getInt(at + 8) >= 12
        && buffer.getInt(at + 8) <= bytes.length - at - 16) {
      Entry.stampChecksum(buffer, at);
      maxTimestamp = Math.max(maxTimestamp, buffer.getLong(at + 16));
      count++;
      at += Entry.bytes(buffer, at);
    }
    if (entriesAt == 0 || bytes.length < entriesAt) {
      return;
    }
    long hash = EntriesHash.start(count);
    for (int next = entriesAt; next < at; next += Entry.bytes(buffer, next)) {
      hash = EntriesHash.add(hash, buffer.getLong(next + 8));
    }
    buffer.putLong(16, maxTimestamp);
    buffer.putInt(48, bytes.length - entriesAt);
    buffer.putInt(52, count);
    buffer.putInt(56, EntriesHash.finish(hash));
    buffer.putInt(8, 80);
    Entry.stampChecksum(buffer, 0);
  }

  private interface Round {
    void play(SplittableRandom random);
  }

  private static void forEachSeed(Round round) {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 30_000 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      try {
        round.play(new SplittableRandom(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
