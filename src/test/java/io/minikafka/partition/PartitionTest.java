package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an append, a read and a change of settings get to see. */
class PartitionTest {
  // ---- what is written

  @Test
  void recordsGetDenseOffsetsAndTheMarkerWhatTheBrokerAssigns() {
    Bench bench = new Bench(FlushPolicy.NONE, new MemoryStore(opened(7, 3, 40, 40, 5000)));
    bench.millis = 6000;
    bench.append("a", 3, Durability.TOPIC);
    bench.append("b", 2, Durability.TOPIC);
    BatchMarker second = marker(bench.store.kept.get(1).bytes());
    assertEquals(
        new BatchMarker(
            43,
            1,
            0,
            (short) -1,
            -1,
            -1,
            2 * 38,
            2,
            second.entriesHash(),
            7,
            43,
            6000,
            40,
            PartitionHash.of(Bench.ID)),
        second);
    assertEquals(List.of(40L, 41L, 42L), offsets(bench.store.kept.get(0).bytes()));
    assertEquals(List.of(43L, 44L), offsets(bench.store.kept.get(1).bytes()));
  }

  @Test
  void appendTimesNeverFallEvenIfTheClockDoes() {
    Bench bench = new Bench(FlushPolicy.NONE, new MemoryStore(opened(1, 0, 9, 9, 5000)));
    bench.millis = 4000;
    bench.append("a", 1, Durability.TOPIC);
    assertEquals(5000, bench.store.kept.getFirst().batch().appendTime());
  }

  @Test
  void theAnswerTellsBaseEpochTimeStartAndDurableOffset() {
    Bench bench = new Bench(FlushPolicy.NONE, new MemoryStore(opened(7, 3, 40, 40, 0)));
    bench.append("a", 3, Durability.TOPIC);
    assertEquals(
        new Appended(40, 40, 3, 1000, 7, Durability.WRITTEN), bench.answers.getFirst().result());
  }

  // ---- acknowledgements

  @Test
  void underCommitAnAcknowledgementWaitsForTheForce() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 3, Durability.TOPIC);
    assertEquals("", bench.answers());
    assertEquals(1, bench.store.flushes.get());
    bench.store.force();
    assertEquals("a@0 FLUSHED", bench.answers());
  }

  @Test
  void aForceThatCoversHalfAcknowledgesHalf() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 3, Durability.TOPIC);
    bench.append("b", 3, Durability.TOPIC);
    bench.append("c", 3, Durability.TOPIC);
    bench.store.forceTo(5);
    assertEquals("a@0 FLUSHED", bench.answers());
    bench.store.forceTo(6);
    assertEquals("a@0 FLUSHED, b@3 FLUSHED", bench.answers());
  }

  @Test
  void underCommitWrittenIsAnsweredAtTheWriteAndTheForceIsQueuedAllTheSame() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 3, Durability.WRITTEN);
    assertEquals("a@0 WRITTEN", bench.answers());
    assertEquals(1, bench.store.flushes.get());
    assertEquals(0, bench.partition.highWatermark());
  }

  @Test
  void underNoneTopicAndWrittenAreAnsweredAtTheWriteWithoutAForce() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.append("a", 1, Durability.TOPIC);
    bench.append("b", 1, Durability.WRITTEN);
    assertEquals("a@0 WRITTEN, b@1 WRITTEN", bench.answers());
    assertEquals(0, bench.store.flushes.get());
  }

  @Test
  void underIntervalTheStoreForcesByItself() {
    Bench bench = new Bench(FlushPolicy.INTERVAL);
    bench.append("a", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN", bench.answers());
    assertEquals(0, bench.store.flushes.get());
  }

  @Test
  void underNoneFlushedForcesNow() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.append("a", 1, Durability.FLUSHED);
    assertEquals("", bench.answers());
    assertEquals(1, bench.store.flushes.get());
    bench.store.force();
    assertEquals("a@0 FLUSHED", bench.answers());
  }

  @Test
  void aForceThatIsOverBeforeTheWriterLooksIsNotMissed() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.store.forceOnFlush = true;
    bench.append("a", 1, Durability.TOPIC);
    assertEquals("a@0 FLUSHED", bench.answers());
  }

  // ---- visibility

  @Test
  void underNoneRecordsAreVisibleWhenWritten() {
    Bench bench = new Bench(FlushPolicy.NONE);
    List<Long> seen = new ArrayList<>();
    bench.partition.append(
        Bench.batch(3), Durability.TOPIC, result -> seen.add(bench.partition.highWatermark()));
    assertEquals(List.of(3L), seen);
    assertEquals(List.of(3L), bench.risen);
  }

  @Test
  void underCommitRecordsAreVisibleWhenDurableAndBeforeTheyAreAcknowledged() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    List<Long> seen = new ArrayList<>();
    bench.partition.append(
        Bench.batch(3), Durability.TOPIC, result -> seen.add(bench.partition.highWatermark()));
    assertEquals(0, bench.partition.highWatermark());
    bench.store.force();
    assertEquals(List.of(3L), seen);
    assertEquals(List.of(3L), bench.risen);
  }

  /** The store has published its new durable offset and is about to tell of it. */
  @Test
  void aWriterThatSeesAForceBeforeTheListenerMakesItVisibleFirst() {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public void flush() {
            forceSilently(snapshot().end());
          }
        };
    Bench bench = new Bench(FlushPolicy.COMMIT, store);
    List<Long> seen = new ArrayList<>();
    bench.partition.append(
        Bench.batch(3), Durability.TOPIC, result -> seen.add(bench.partition.highWatermark()));
    assertEquals(List.of(3L), seen);
  }

  @Test
  void theHighWatermarkNeverFalls() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.append("a", 5, Durability.TOPIC);
    var _ = bench.partition.configure(Bench.settings(FlushPolicy.COMMIT));
    bench.store.forceTo(2);
    assertEquals(5, bench.partition.highWatermark());
    assertEquals(List.of(5L), bench.risen);
  }

  @Test
  void whatWasDurableAtTheOpeningIsVisibleAtOnce() {
    Bench bench = new Bench(FlushPolicy.COMMIT, new MemoryStore(opened(1, 2, 8, 8, 0)));
    assertEquals(8, bench.partition.highWatermark());
  }

  /** Between the opening of a store and the making of its partition a force may have ended. */
  @Test
  void whatBecameDurableWhileThePartitionWasMadeIsVisible() {
    MemoryStore store =
        new MemoryStore(opened(1, 0, 5, 8, 0)) {
          @Override
          public void listen(Listener listener) {
            forceSilently(8);
            super.listen(listener);
          }
        };
    assertEquals(8, new Bench(FlushPolicy.COMMIT, store).partition.highWatermark());
  }

  @Test
  void anExceptionOfTheOneWhoWaitsForRecordsHurtsNobody() {
    MemoryStore store = new MemoryStore();
    List<AppendResult> answers = new ArrayList<>();
    Partition partition =
        new Partition(
            Bench.ID,
            store,
            Bench.settings(FlushPolicy.NONE),
            new Partition.Surroundings(
                () -> java.time.Instant.EPOCH,
                () -> 0,
                Runnable::run,
                io.minikafka.EngineObserver.NONE),
            visible -> {
              throw new IllegalStateException("a fetch that fails");
            });
    partition.append(Bench.batch(1), Durability.TOPIC, answers::add);
    partition.append(Bench.batch(1), Durability.TOPIC, answers::add);
    assertEquals(2, answers.size());
  }

  // ---- reads

  @Test
  void readsEndAtTheHighWatermark() throws IOException {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 2, Durability.TOPIC);
    bench.store.force();
    bench.append("b", 2, Durability.TOPIC);
    assertEquals(new ReadResult.Entries(Bytes.EMPTY, 2), bench.partition.read(2, 100, true));
    assertEquals(new ReadResult.Entries(Bytes.EMPTY, 4), bench.partition.read(4, 100, true));
    assertEquals(new ReadResult.OutOfRange(0, 2), bench.partition.read(5, 100, true));
    ReadResult.Entries visible =
        assertInstanceOf(ReadResult.Entries.class, bench.partition.read(1, 100, true));
    assertEquals(2, visible.nextOffset());
  }

  @Test
  void lookupsByTimeEndAtTheHighWatermark() throws IOException {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 2, Durability.TOPIC);
    assertEquals(TimeLookup.NONE, bench.partition.offsetForTime(0));
    assertEquals(TimeLookup.NONE, bench.partition.latestTimestamp());
    bench.store.force();
    assertEquals(new TimeLookup(0, 1), bench.partition.offsetForTime(0));
    assertEquals(new TimeLookup(0, 1), bench.partition.latestTimestamp());
  }

  @Test
  void aLogStartAboveTheWatermarkRaisesIt() throws IOException {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 4, Durability.TOPIC);
    bench.partition.trimTo(4);
    assertEquals(4, bench.partition.highWatermark());
    assertEquals(new ReadResult.OutOfRange(4, 4), bench.partition.read(3, 100, true));
  }

  // ---- settings

  @Test
  void aChangeToCommitForcesFirstAndThenIsDone() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.append("a", 2, Durability.TOPIC);
    CompletableFuture<Void> done = bench.partition.configure(Bench.settings(FlushPolicy.COMMIT));
    assertFalse(done.isDone());
    assertEquals(1, bench.store.flushes.get());
    bench.append("b", 2, Durability.TOPIC);
    assertEquals("a@0 WRITTEN", bench.answers());
    bench.store.forceTo(2);
    assertTrue(done.isDone());
    bench.store.forceTo(4);
    assertEquals("a@0 WRITTEN, b@2 FLUSHED", bench.answers());
  }

  @Test
  void aChangeAwayFromCommitMakesWhatIsWrittenVisibleAndReachesTheStore() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 2, Durability.TOPIC);
    assertTrue(bench.partition.configure(Bench.settings(FlushPolicy.NONE)).isDone());
    assertEquals(2, bench.partition.highWatermark());
    assertEquals(FlushPolicy.NONE, bench.store.configured.getLast().flushPolicy());
    assertEquals(Bench.settings(FlushPolicy.NONE), bench.partition.settings());
    bench.store.force();
    assertEquals("a@0 FLUSHED", bench.answers());
  }

  /** The first change waits in the queue behind a write; the second must not overtake it. */
  @Test
  void theLastOfTwoChangesStays() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.store.mayBlock = bytes -> true;
    bench.append("a", 1, Durability.TOPIC);
    var first = bench.partition.configure(Bench.settings(FlushPolicy.COMMIT));
    var last = bench.partition.configure(Bench.settings(FlushPolicy.NONE));
    bench.worker.runAll();
    assertTrue(last.isDone() && !first.isDone());
    assertEquals(FlushPolicy.NONE, bench.partition.settings().store().flushPolicy());
    assertEquals(FlushPolicy.NONE, bench.store.configured.getLast().flushPolicy());
  }

  /** Policy and visibility change together, between two batches and not inside one. */
  @Test
  void aBatchIsNeverAcknowledgedUnderAnotherPolicyThanItBecameVisibleUnder() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    List<CompletableFuture<Void>> changed = new ArrayList<>();
    bench.store.duringAppend =
        () -> changed.add(bench.partition.configure(Bench.settings(FlushPolicy.NONE)));
    bench.append("a", 1, Durability.TOPIC);
    assertEquals("", bench.answers());
    assertTrue(changed.getFirst().isDone());
    bench.store.force();
    assertEquals("a@0 FLUSHED", bench.answers());
  }

  private static PartitionStore.Snapshot opened(
      int epoch, long start, long durable, long end, long lastAppendTime) {
    return new PartitionStore.Snapshot(epoch, start, durable, end, lastAppendTime, "");
  }

  private static BatchMarker marker(ByteBuffer bytes) {
    assertEquals(BatchMarker.Check.GOOD, BatchMarker.check(bytes, 0, bytes.limit()));
    return BatchMarker.read(bytes, 0);
  }

  private static List<Long> offsets(ByteBuffer bytes) {
    RecordReader reader = new RecordReader(bytes, 0);
    List<Long> offsets = new ArrayList<>();
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      offsets.add(record.offset());
    }
    return offsets;
  }
}
