package io.minikafka.sim;

import static io.minikafka.sim.StoreBench.ID;
import static io.minikafka.sim.StoreBench.RECORD_BYTES;
import static io.minikafka.sim.StoreBench.all;
import static io.minikafka.sim.StoreBench.offsets;
import static io.minikafka.sim.StoreBench.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.ReadResult.OutOfRange;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.BatchMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link PartitionStore} and its {@code PartitionStores} must do. */
abstract class PartitionStoreContract {
  private static final int ALL = 1 << 20;

  private StoreBench bench;

  abstract Stack stack();

  @BeforeEach
  void openStores() throws IOException {
    bench = new StoreBench(stack());
  }

  // Opening.

  @Test
  void partitionNeverWrittenOpensEmptyEachTime() throws IOException {
    bench.open().close();
    PartitionStore again = bench.open();
    Snapshot now = again.snapshot();
    assertEquals(List.of(0L, 0L, 0L), List.of(now.start(), now.durable(), now.end()));
    assertFalse(now.isOffline());
  }

  @Test
  void openingTwiceAtOnceIsABug() throws IOException {
    bench.open();
    assertThrows(IllegalStateException.class, () -> bench.open());
  }

  @Test
  void reopenedInANewEpochWithEverythingDurable() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 3);
    int epoch = store.snapshot().epoch();
    bench.restart();
    PartitionStore again = bench.open();
    Snapshot now = again.snapshot();
    assertEquals(List.of(0L, 3L, 3L), List.of(now.start(), now.durable(), now.end()));
    assertTrue(now.epoch() > epoch);
    assertEquals(range(0, 3), all(again));
  }

  // Appending and making durable.

  @Test
  void appendMovesTheEndAndNotTheDurableOffset() throws IOException {
    PartitionStore store = bench.open(FlushPolicy.NONE);
    bench.append(store, 3);
    Snapshot now = store.snapshot();
    assertEquals(List.of(0L, 0L, 3L), List.of(now.start(), now.durable(), now.end()));
    assertEquals(bench.clock.millis(), now.lastAppendTime());
    assertEquals(range(0, 3), all(store));
  }

  @Test
  void flushMakesDurableWhatWasWrittenBeforeItAndTells() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 3);
    store.flush();
    bench.settle();
    assertEquals(3, store.snapshot().durable());
    assertEquals(List.of("durable 3"), bench.told);
  }

  @Test
  void flushWhileAnotherIsUnderWayIsNotForgotten() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 30; i++) {
      bench.append(store, 1);
      store.flush();
      bench.process.step();
    }
    bench.settle();
    assertEquals(30, store.snapshot().durable());
    assertEquals("durable 30", bench.told.getLast());
  }

  @Test
  void durableSurvivesAPowerLoss() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 30; i++) {
      bench.append(store, 2);
      store.flush();
      bench.settle();
    }
    bench.powerLoss();
    assertEquals(range(0, 60), all(bench.open()));
  }

  @Test
  void intervalPolicyForcesWithoutBeingAsked() throws IOException {
    PartitionStore store = bench.open(FlushPolicy.INTERVAL);
    bench.append(store, 3);
    bench.settle();
    assertEquals(3, store.snapshot().durable());
  }

  @Test
  void appendOfManyBatchesIsAllOrNone() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 1);
    store.flush();
    bench.settle();
    bench.disk.limitFreeBytes(2000);
    assertThrows(
        NoRoomException.class,
        () ->
            store.append(
                List.of(
                    bench.batch(store, 1, 2), bench.batch(store, 3, 2), bench.batch(store, 5, 9))));
    assertEquals(1, store.snapshot().end());
    bench.disk.limitFreeBytes(Long.MAX_VALUE);
    store.append(List.of(bench.batch(store, 1, 1), bench.batch(store, 2, 12)));
    assertEquals(range(0, 14), all(store));
  }

  @Test
  void failedForceIsFinal() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 1);
    bench.disk.failNextForce("log");
    store.flush();
    bench.settle();
    assertEquals(List.of("offline"), bench.told);
    assertTrue(store.snapshot().isOffline());
    assertEquals(0, store.snapshot().durable());
    assertThrows(StoreOfflineException.class, () -> bench.append(store, 1));
    store.flush();
    bench.settle();
    assertEquals(List.of("offline"), bench.told);
  }

  @Test
  void closeMakesDurableAndEndsAppends() throws IOException {
    PartitionStore store = bench.open(FlushPolicy.NONE);
    bench.append(store, 3);
    store.close();
    store.close();
    assertThrows(StoreOfflineException.class, () -> bench.append(store, 1));
    bench.powerLoss();
    assertEquals(range(0, 3), all(bench.open()));
  }

  // Reading.

  @Test
  void answerBeginsAtTheAskedRecordWithItsMarkerIfThatStandsBeforeIt() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 3);
    bench.append(store, 3);
    for (long offset = 0; offset < 6; offset++) {
      Entries answer =
          assertInstanceOf(Entries.class, store.read(offset, ALL, false, 6), "offset " + offset);
      ByteBuffer in = Blobs.look(answer.blob());
      assertEquals(offset, in.getLong(0));
      assertEquals(offset % 3 == 0, BatchMarker.isMarker(in, 0));
      assertEquals(range(offset, 6), offsets(answer));
    }
  }

  @Test
  void answerHoldsWhatFitsAndEndsWithARecord() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 2);
    bench.append(store, 2);
    int first = BatchMarker.BYTES + RECORD_BYTES;
    assertEquals(List.of(), offsets(store.read(0, first - 1, false, 4)));
    assertEquals(List.of(0L), offsets(store.read(0, first, false, 4)));
    assertEquals(List.of(0L), offsets(store.read(0, 1, true, 4)));
    int batch = first + RECORD_BYTES;
    assertEquals(List.of(0L, 1L), offsets(store.read(0, batch + BatchMarker.BYTES, false, 4)));
    assertEquals(List.of(1L), offsets(store.read(1, RECORD_BYTES, false, 4)));
  }

  @Test
  void answerHoldsNothingAtOrAboveTheLimit() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 10; i++) {
      bench.append(store, 2);
    }
    for (long limit = 0; limit <= 20; limit += 2) {
      assertEquals(range(0, limit), offsets(store.read(0, ALL, true, limit)));
      assertEquals(List.of(), offsets(store.read(limit, ALL, true, limit)));
    }
  }

  @Test
  void offsetsBelowTheStartAndAboveTheLimitAreOutOfRange() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 5);
    store.flush();
    bench.settle();
    store.trimTo(2);
    assertEquals(new OutOfRange(2, 5), store.read(1, ALL, true, 5));
    assertEquals(new OutOfRange(2, 5), store.read(6, ALL, true, 5));
    assertEquals(new OutOfRange(2, 5), store.read(-1, ALL, true, 5));
    assertEquals(range(2, 5), offsets(store.read(2, ALL, true, 5)));
  }

  @Test
  void leasedAnswerOutlivesTheRecordsItHolds() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 20; i++) {
      bench.append(store, 2);
    }
    store.flush();
    bench.settle();
    ReadResult held = store.read(0, ALL, true, 40);
    store.trimTo(40);
    bench.settle();
    assertEquals(range(0, 40), offsets(held));
  }

  // Times.

  @Test
  void timeIsLookedUpBetweenStartAndLimit() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 10; i++) {
      bench.append(store, 3);
    }
    store.flush();
    bench.settle();
    assertEquals(new TimeLookup(0, 0), store.offsetForTime(-5, 30));
    assertEquals(new TimeLookup(7, 70), store.offsetForTime(61, 30));
    assertEquals(new TimeLookup(29, 290), store.offsetForTime(290, 30));
    assertEquals(TimeLookup.NONE, store.offsetForTime(291, 30));
    assertEquals(TimeLookup.NONE, store.offsetForTime(150, 15));
    assertEquals(new TimeLookup(29, 290), store.latestTimestamp(30));
    assertEquals(new TimeLookup(14, 140), store.latestTimestamp(15));
    store.trimTo(13);
    assertEquals(new TimeLookup(13, 130), store.offsetForTime(0, 30));
    store.trimTo(30);
    assertEquals(TimeLookup.NONE, store.offsetForTime(0, 30));
    assertEquals(TimeLookup.NONE, store.latestTimestamp(30));
  }

  @Test
  void appendTimeIsThatOfTheBatch() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 10; i++) {
      bench.clock.advance(1000);
      bench.append(store, 3);
    }
    store.flush();
    bench.settle();
    long firstMs = appended(store, 0, 30, 0);
    for (int offset = 0; offset < 30; offset++) {
      assertEquals(firstMs + offset / 3 * 1000, appended(store, offset, 30, offset));
    }
    assertEquals(new AppendTimeLookup.None(), store.appendTime(15, 15));
    store.trimTo(13);
    assertEquals(firstMs + 4 * 1000, appended(store, 2, 30, 13));
    store.trimTo(30);
    assertEquals(new AppendTimeLookup.None(), store.appendTime(0, 30));
  }

  private static long appended(PartitionStore store, long offset, long limit, long expected)
      throws IOException {
    if (store.appendTime(offset, limit)
        instanceof AppendTimeLookup.Found(long found, long appendTime)) {
      assertEquals(expected, found);
      return appendTime;
    }
    throw new AssertionError(store.appendTime(offset, limit));
  }

  // Trimming.

  @Test
  void startMovesUpOnlyAndStaysThere() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 20);
    store.flush();
    bench.settle();
    bench.told.clear();
    store.trimTo(13);
    store.trimTo(7);
    assertEquals(13, store.snapshot().start());
    assertEquals(List.of("start 13"), bench.told);
    bench.powerLoss();
    PartitionStore again = bench.open();
    assertEquals(13, again.snapshot().start());
    assertEquals(range(13, 20), all(again));
  }

  @Test
  void whatIsNotDurableCannotBeTrimmed() throws IOException {
    PartitionStore store = bench.open(FlushPolicy.NONE);
    bench.append(store, 3);
    assertThrows(IllegalArgumentException.class, () -> store.trimTo(1));
    assertEquals(0, store.snapshot().start());
  }

  @Test
  void offsetsGoOnAfterAllWasTrimmed() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 20);
    store.flush();
    bench.settle();
    store.trimTo(20);
    bench.powerLoss();
    PartitionStore again = bench.open();
    assertEquals(20, again.snapshot().end());
    bench.append(again, 2);
    assertEquals(range(20, 22), all(again));
  }

  // All stores.

  @Test
  void smallValueIsReplacedOnlyByWhoHasSeenTheNewest() throws IOException {
    assertTrue(bench.stores.meta().read("v").isEmpty());
    assertFalse(bench.stores.meta().replace("v", value("a"), 1));
    assertTrue(bench.stores.meta().replace("v", value("a"), 0));
    assertFalse(bench.stores.meta().replace("v", value("b"), 0));
    assertTrue(bench.stores.meta().replace("v", value("b"), 1));
    bench.powerLoss();
    var now = bench.stores.meta().read("v").orElseThrow();
    assertEquals(2, now.version());
    assertEquals(value("b"), now.value());
  }

  @Test
  void deletedTopicIsGoneAndItsNeighbourIsNot() throws IOException {
    PartitionId other = new PartitionId(new UUID(5, 6), 0);
    PartitionStore store = bench.open();
    bench.append(store, 30);
    store.close();
    bench.stores.deleteTopic(other.topicId());
    bench.stores.open(other, settings(FlushPolicy.COMMIT)).close();
    bench.stores.deleteTopic(other.topicId());
    PartitionStore kept = bench.open();
    assertEquals(range(0, 30), all(kept));
    kept.close();
    bench.stores.deleteTopic(ID.topicId());
    bench.powerLoss();
    bench.stores.deleteTopic(ID.topicId());
    assertEquals(0, bench.open().snapshot().end());
  }

  @Test
  void settingUnknownTopicsAsideDeletesNothingAndSparesTheKnown() throws IOException {
    PartitionId unknown = new PartitionId(new UUID(5, 6), 0);
    PartitionStore known = bench.open();
    bench.append(known, 3);
    known.close();
    PartitionStore other = bench.stores.open(unknown, settings(FlushPolicy.COMMIT));
    bench.append(other, 3);
    other.close();
    long before = bench.disk.usedBytes();
    bench.stores.setAsideUnknown(Set.of(ID.topicId()));
    assertEquals(before, bench.disk.usedBytes());
    assertEquals(range(0, 3), all(bench.open()));
  }

  private static ByteBuffer value(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }
}
