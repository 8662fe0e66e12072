package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Crc32c;
import io.minikafka.record.Entry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SegmentIndexesTest {
  private static final int INTERVAL = 4096;

  /** A batch whose records carry offsets from {@code base} on. */
  private static ByteBuffer batch(long base, int records, int valueBytes) {
    BatchBuilder builder = new BatchBuilder(records * (28 + valueBytes));
    for (int i = 0; i < records; i++) {
      builder.append(i, null, new byte[valueBytes], List.of());
    }
    ByteBuffer produced = builder.version1();
    ByteBuffer buffer = ByteBuffer.allocate(produced.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(produced).flip();
    BatchMarker.stamp(buffer, 0, base, 1, 1000 + base, 0, 0);
    long offset = base;
    for (int at = BatchMarker.BYTES; at < buffer.limit(); at += Entry.bytes(buffer, at)) {
      buffer.putLong(at, offset++);
    }
    return buffer;
  }

  @Test
  void aLargeBatchIsIndexedInside() {
    SegmentIndexes indexes = new SegmentIndexes(0, INTERVAL);
    ByteBuffer batch = batch(0, 10_000, 77);

    indexes.addBatch(batch, 0, batch.limit(), 0);

    int size = batch.limit();
    assertTrue(size > 1 << 20);
    // Each pair may be late by less than one record.
    assertTrue(indexes.offsets().count() >= size / (INTERVAL + 105) - 1);
    for (int i = 1; i < indexes.offsets().count(); i++) {
      int gap = indexes.offsets().position(i) - indexes.offsets().position(i - 1);
      assertTrue(gap >= INTERVAL && gap < INTERVAL + 105, "gap " + gap);
    }
  }

  @Test
  void aMiBOfKiBRecordsHasAPairForAlmostEachInterval() {
    SegmentIndexes indexes = new SegmentIndexes(0, INTERVAL);
    // Records of exactly 1024 bytes: boundaries fall on the interval.
    ByteBuffer batch = batch(0, 1024, 1024 - Entry.PLAIN_OVERHEAD_BYTES);

    indexes.addBatch(batch, 0, batch.limit(), 0);

    assertTrue(indexes.offsets().count() >= batch.limit() / INTERVAL - 1);
  }

  @Test
  void everyPairPointsAtTheEntryThatCarriesItsOffset() {
    SegmentIndexes indexes = new SegmentIndexes(100, INTERVAL);
    ByteBuffer batch = batch(100, 5000, 33);

    indexes.addBatch(batch, 0, batch.limit(), 0);

    for (int i = 0; i < indexes.offsets().count(); i++) {
      assertEquals(
          indexes.offsets().offset(i), batch.getLong(indexes.offsets().position(i)), "pair " + i);
    }
  }

  @Test
  void whereTheFirstRecordIsDueItsMarkerIsTaken() {
    SegmentIndexes indexes = new SegmentIndexes(0, 200);

    indexes.addMarker(0, 0, 1, 1);
    indexes.addEntry(0, 96);
    indexes.addMarker(1, 150, 1, 1);
    indexes.addEntry(1, 246);

    assertEquals(1, indexes.offsets().count());
    assertEquals(150, indexes.offsets().position(0));
  }

  @Test
  void anIntervalOfOneByteIndexesEveryEntryOnce() {
    SegmentIndexes indexes = new SegmentIndexes(0, 1);
    ByteBuffer batch = batch(0, 3, 10);

    indexes.addBatch(batch, 0, batch.limit(), 0);
    indexes.addBatch(batch(3, 2, 10), 0, 96 + 2 * 38, batch.limit());

    // Not the first marker and its record, at position 0; marker 3 stands for record 3.
    assertEquals(4, indexes.offsets().count());
    assertEquals(3, indexes.offsets().offset(2));
    assertEquals(batch.limit(), indexes.offsets().position(2));
  }

  @Test
  void theTimeIndexKnowsTheFirstAndTheLastBatch() {
    SegmentIndexes indexes = new SegmentIndexes(0, INTERVAL);
    ByteBuffer batch = batch(0, 1, 10);
    int bytes = batch.limit();
    for (int i = 0; i < 5; i++) {
      indexes.addBatch(batch(i, 1, 10), 0, bytes, i * bytes);
    }

    indexes.finishTimes();

    assertEquals(2, indexes.times().count());
    assertEquals(1000, indexes.firstAppendTime());
    assertEquals(1004, indexes.times().appendTime(1));
    assertEquals(4, indexes.times().offset(1));
  }

  @Test
  void offsetIndexesSurviveTheirFile() {
    SegmentIndexes indexes = new SegmentIndexes(7, INTERVAL);
    ByteBuffer batch = batch(7, 1000, 100);
    indexes.addBatch(batch, 0, batch.limit(), 0);

    OffsetIndex read =
        OffsetIndex.decode(indexes.offsets().encode(), 7, 1007, batch.limit()).orElseThrow();

    assertEquals(indexes.offsets().encode(), read.encode());
    assertEquals(indexes.offsets().floorByOffset(500), read.floorByOffset(500));
    assertEquals(indexes.offsets().floorByPosition(50_000), read.floorByPosition(50_000));
  }

  @Test
  void aFloorIsThePairAtOrBelow() {
    OffsetIndex index = new OffsetIndex(10);
    index.add(12, 100);
    index.add(20, 300);

    assertEquals(OffsetIndex.BEFORE_FIRST, index.floorByOffset(11));
    assertEquals(0, index.floorByOffset(12));
    assertEquals(0, index.floorByOffset(19));
    assertEquals(1, index.floorByOffset(1000));
    assertEquals(OffsetIndex.BEFORE_FIRST, index.floorByPosition(99));
    assertEquals(0, index.floorByPosition(299));
    assertEquals(1, index.floorByPosition(300));
  }

  @Test
  void aPairThatDoesNotRiseIsRefused() {
    OffsetIndex index = new OffsetIndex(0);
    index.add(5, 100);

    assertThrows(IllegalArgumentException.class, () -> index.add(5, 200));
    assertThrows(IllegalArgumentException.class, () -> index.add(6, 100));
  }

  @Test
  void filesThatCannotBeAnOffsetIndexAreRefused() {
    assertEquals(Optional.empty(), offsets(new int[] {1, 100, 1, 200}));
    assertEquals(Optional.empty(), offsets(new int[] {2, 100, 1, 200}));
    assertEquals(Optional.empty(), offsets(new int[] {1, 200, 2, 100}));
    assertEquals(Optional.empty(), offsets(new int[] {0, 0}));
    assertEquals(Optional.empty(), offsets(new int[] {1, 1000}));
    assertEquals(Optional.empty(), offsets(new int[] {10, 500}));
    assertEquals(Optional.empty(), offsets(new int[] {-1, 500}));
    assertEquals(Optional.empty(), offsets(new int[] {0, 500}));
    assertTrue(offsets(new int[] {1, 100, 9, 999}).isPresent());
    assertEquals(Optional.empty(), OffsetIndex.decode(ByteBuffer.allocate(7), 50, 60, 1000));
  }

  /** Of a segment of ten offsets and 1000 bytes. */
  private static Optional<OffsetIndex> offsets(int[] numbers) {
    ByteBuffer file = ByteBuffer.allocate(numbers.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : numbers) {
      file.putInt(number);
    }
    return OffsetIndex.decode(file.flip(), 50, 60, 1000);
  }

  @Test
  void filesThatCannotBeATimeIndexAreRefused() {
    assertEquals(Optional.empty(), times(new long[] {5, 100, 1, 4, 100, 2}));
    assertEquals(Optional.empty(), times(new long[] {5, 100, 1, 5, 99, 2}));
    assertEquals(Optional.empty(), times(new long[] {5, 100, 1, 5, 100, 1}));
    assertEquals(Optional.empty(), times(new long[] {5, 100, 10}));
    assertEquals(Optional.empty(), TimeIndex.decode(ByteBuffer.allocate(19), 50, 60));
    assertTrue(times(new long[] {5, 100, 0, 5, 100, 9}).isPresent());
  }

  private static Optional<TimeIndex> times(long[] numbers) {
    int bytes = numbers.length / 3 * TimeIndex.ENTRY_BYTES;
    ByteBuffer file = ByteBuffer.allocate(bytes + 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < numbers.length; i += 3) {
      file.putLong(numbers[i]).putLong(numbers[i + 1]).putInt((int) numbers[i + 2]);
    }
    file.putInt(Crc32c.of(file, 0, bytes));
    return TimeIndex.decode(file.flip(), 50, 60);
  }
}
