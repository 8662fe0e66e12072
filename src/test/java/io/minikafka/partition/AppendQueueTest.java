package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who writes when: the caller, or the worker. */
class AppendQueueTest {
  private final Bench bench = new Bench(FlushPolicy.NONE);

  @Test
  void oneBatchIsWrittenByTheCaller() {
    bench.append("a", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN", bench.answers());
    assertEquals(0, bench.worker.waiting());
  }

  @Test
  void whatWasOfferedTogetherIsOneWrite() {
    assertTrue(bench.offer("a", Bench.batch(1), Durability.TOPIC));
    assertFalse(bench.offer("b", Bench.batch(2), Durability.TOPIC));
    assertFalse(bench.offer("c", Bench.batch(3), Durability.TOPIC));
    bench.partition.drain();
    assertEquals("a@0 WRITTEN, b@1 WRITTEN, c@3 WRITTEN", bench.answers());
    assertEquals(List.of(3), bench.store.bursts);
  }

  @Test
  void afterEightBatchesTheWorkerGoesOn() {
    offerAll(20, Bench.batch(1).bytes());
    bench.partition.drain();
    assertEquals(8, bench.answers.size());
    bench.worker.runNext();
    assertEquals(inOrder(20), bench.answers());
    assertEquals(List.of(8, 8, 4), bench.store.bursts);
  }

  @Test
  void afterOneMebibyteTheWorkerGoesOn() {
    offerAll(8, 200 << 10);
    bench.partition.drain();
    assertEquals(6, bench.answers.size());
    assertEquals(1, bench.worker.waiting());
  }

  @Test
  void aLargeBatchGoesToTheWorkerIfOthersWait() {
    bench.offer("large", Bench.batch(1, 300 << 10), Durability.TOPIC);
    bench.offer("small", Bench.batch(1), Durability.TOPIC);
    bench.partition.drain();
    assertEquals("", bench.answers());
    bench.worker.runAll();
    assertEquals("large@0 WRITTEN, small@1 WRITTEN", bench.answers());
  }

  @Test
  void aLargeBatchBehindASmallOneGoesToTheWorkerIfOthersWait() {
    bench.offer("small", Bench.batch(1), Durability.TOPIC);
    bench.offer("large", Bench.batch(1, 300 << 10), Durability.TOPIC);
    bench.offer("third", Bench.batch(1), Durability.TOPIC);
    bench.partition.drain();
    assertEquals("small@0 WRITTEN", bench.answers());
    assertEquals(1, bench.worker.waiting());
  }

  @Test
  void aLargeBatchAloneIsWrittenByTheCaller() {
    bench.append("large", Bench.batch(1, 300 << 10), Durability.TOPIC);
    assertEquals("large@0 WRITTEN", bench.answers());
  }

  @Test
  void anAppendThatMayBlockGoesToTheWorker() {
    bench.store.mayBlock = bytes -> true;
    bench.append("a", 1, Durability.TOPIC);
    assertEquals("", bench.answers());
    bench.worker.runAll();
    assertEquals("a@0 WRITTEN", bench.answers());
  }

  /** The store is asked about all bytes of the burst, not about each batch alone. */
  @Test
  void aBurstEndsWhereItWouldHaveToWait() {
    int bytes = Bench.batch(1).bytes();
    bench.store.mayBlock = asked -> asked > 2 * bytes;
    offerAll(3, bytes);
    bench.partition.drain();
    assertEquals(List.of(2, 1), bench.store.bursts);
    assertEquals(0, bench.worker.waiting());
  }

  @Test
  void whatComesWhileTheWorkerHasTheQueueWaitsBehind() {
    bench.store.mayBlock = bytes -> true;
    bench.append("a", 1, Durability.TOPIC);
    bench.store.mayBlock = bytes -> false;
    bench.append("b", 1, Durability.TOPIC);
    assertEquals("", bench.answers());
    bench.worker.runAll();
    bench.append("c", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN, b@1 WRITTEN, c@2 WRITTEN", bench.answers());
  }

  @Test
  void aSlowWriteMovesTheQueueToTheWorkerUntilEightWereFast() {
    bench.store.duringAppend = () -> bench.nanos += AppendQueue.SLOW_WRITE_NANOS + 1;
    bench.append("slow", 1, Durability.TOPIC);
    bench.store.duringAppend = () -> bench.nanos += AppendQueue.SLOW_WRITE_NANOS;
    for (int i = 0; i < AppendQueue.FAST_WRITES; i++) {
      bench.append("fast", 1, Durability.TOPIC);
      assertEquals(1, bench.worker.waiting(), "after " + i);
      bench.worker.runAll();
    }
    bench.append("fast", 1, Durability.TOPIC);
    assertEquals(0, bench.worker.waiting());
  }

  @Test
  void aSlowWriteOfTheWorkerKeepsItThere() {
    bench.store.mayBlock = bytes -> true;
    bench.store.duringAppend = () -> bench.nanos += 2 * AppendQueue.SLOW_WRITE_NANOS;
    bench.append("a", 1, Durability.TOPIC);
    bench.worker.runAll();
    bench.store.mayBlock = bytes -> false;
    bench.append("b", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN", bench.answers());
  }

  @Test
  void aSlowWriteIsAStallOnlyWhereNothingMayBlock() {
    List<Long> stalls = new ArrayList<>();
    EngineObserver observer =
        new EngineObserver() {
          @Override
          public void onWriteStalled(PartitionId partition, long nanos) {
            stalls.add(nanos);
          }
        };
    Bench watched = new Bench(FlushPolicy.NONE, new MemoryStore(), observer);
    watched.store.duringAppend = () -> watched.nanos += AppendQueue.SLOW_WRITE_NANOS + 1;
    watched.append("on the event loop", 1, Durability.TOPIC);
    watched.append("on the worker", 1, Durability.TOPIC);
    watched.worker.runAll();
    assertEquals(2, watched.answers.size());
    assertEquals(List.of(AppendQueue.SLOW_WRITE_NANOS + 1), stalls);
  }

  /** One busy partition must not keep a worker that others wait for. */
  @Test
  void theWorkerTakesTurnsBetweenPartitions() {
    bench.store.mayBlock = bytes -> true;
    offerAll(2 * AppendQueue.WORKER_BATCHES + 1, Bench.batch(1).bytes());
    bench.partition.drain();
    bench.worker.runNext();
    assertEquals(AppendQueue.WORKER_BATCHES, bench.answers.size());
    assertEquals(1, bench.worker.waiting());
    bench.worker.runAll();
    assertEquals(inOrder(2 * AppendQueue.WORKER_BATCHES + 1), bench.answers());
  }

  /** At shutdown the worker may be gone before the last batch is in. */
  @Test
  void withoutAWorkerTheCallerFinishes() {
    bench.worker.stop();
    bench.store.mayBlock = bytes -> true;
    offerAll(AppendQueue.WORKER_BATCHES + 9, Bench.batch(1).bytes());
    bench.partition.drain();
    assertEquals(inOrder(AppendQueue.WORKER_BATCHES + 9), bench.answers());
  }

  @Test
  void aBatchOfferedFromACallbackIsWrittenBehindAndDoesNotGrowTheStack() {
    int[] left = {20_000};
    appendAgain(left);
    bench.worker.runAll();
    assertEquals(0, left[0]);
    assertEquals(20_000, bench.partition.snapshot().end());
  }

  private void appendAgain(int[] left) {
    bench.partition.append(
        Bench.batch(1),
        Durability.TOPIC,
        result -> {
          if (--left[0] > 0) {
            appendAgain(left);
          }
        });
  }

  @Test
  void aBatchOfferedFromACallbackOfTheForceDoesNotGrowTheStack() {
    Bench commit = new Bench(FlushPolicy.COMMIT);
    commit.store.forceOnFlush = true;
    int[] left = {20_000};
    appendAgain(commit, left);
    commit.worker.runAll();
    assertEquals(0, left[0]);
  }

  private static void appendAgain(Bench commit, int[] left) {
    commit.partition.append(
        Bench.batch(1),
        Durability.TOPIC,
        result -> {
          if (--left[0] > 0) {
            appendAgain(commit, left);
          }
        });
  }

  @Test
  void aCallbackThatThrowsHurtsNobody() {
    List<AppendResult> answers = new ArrayList<>();
    bench.offer("a", Bench.batch(1), Durability.TOPIC);
    bench.partition.offer(
        Bench.batch(1),
        Durability.TOPIC,
        result -> {
          answers.add(result);
          throw new IllegalStateException("a connection that is gone");
        });
    bench.offer("c", Bench.batch(1), Durability.TOPIC);
    bench.partition.drain();
    bench.append("d", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN, c@2 WRITTEN, d@3 WRITTEN", bench.answers());
    assertEquals(1, answers.size());
  }

  @Test
  void aCallbackThatThrowsAtTheForceHurtsNobody() {
    Bench commit = new Bench(FlushPolicy.COMMIT);
    commit.partition.append(
        Bench.batch(1),
        Durability.TOPIC,
        result -> {
          throw new IllegalStateException("a connection that is gone");
        });
    commit.append("b", 1, Durability.TOPIC);
    commit.store.force();
    commit.append("c", 1, Durability.TOPIC);
    commit.store.force();
    assertEquals("b@1 FLUSHED, c@2 FLUSHED", commit.answers());
  }

  @Test
  void aCallbackThatThrowsOnARefusalHurtsNobody() {
    bench.store.trouble =
        Optional.of(
            () -> {
              throw new NoRoomException("full", new java.io.IOException("full"));
            });
    assertTrue(
        bench.partition.offer(
            Bench.batch(1),
            Durability.TOPIC,
            result -> {
              throw new IllegalStateException("a connection that is gone");
            }));
    bench.offer("b", Bench.batch(1), Durability.TOPIC);
    bench.partition.drain();
    assertEquals("b DISK_FULL", bench.answers());
  }

  /** A flush that throws is a bug; the batches behind it must still get an answer. */
  @Test
  void aBugBehindTheWriteEndsThePartitionAndEveryBatchIsAnsweredOnce() {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public void flush() {
            throw new IllegalStateException("a bug");
          }
        };
    Bench broken = new Bench(FlushPolicy.COMMIT, store);
    for (String name : List.of("a", "b", "c")) {
      broken.offer(name, Bench.batch(1), Durability.TOPIC);
    }
    broken.partition.drain();
    broken.append("d", 1, Durability.TOPIC);
    assertEquals(
        "a STORAGE_FAILED, b STORAGE_FAILED, c STORAGE_FAILED, d STORAGE_FAILED", broken.answers());
  }

  @Test
  void aBugBeforeTheWriteEndsThePartitionAndEveryBatchIsAnsweredOnce() {
    bench.store.mayBlock =
        bytes -> {
          throw new IllegalStateException("a bug");
        };
    bench.offer("a", Bench.batch(1), Durability.TOPIC);
    bench.offer("b", Bench.batch(1), Durability.TOPIC);
    bench.partition.drain();
    bench.append("c", 1, Durability.TOPIC);
    assertEquals("a STORAGE_FAILED, b STORAGE_FAILED, c STORAGE_FAILED", bench.answers());
  }

  @Test
  void aChangeOfSettingsTakesItsPlaceBetweenTwoBatches() {
    bench.store.mayBlock = bytes -> true;
    bench.append("a", 1, Durability.TOPIC);
    CompletableFuture<Void> changed = bench.partition.configure(Bench.settings(FlushPolicy.COMMIT));
    bench.append("b", 1, Durability.TOPIC);
    assertEquals(FlushPolicy.NONE, bench.partition.settings().store().flushPolicy());
    bench.worker.runAll();
    assertEquals("a@0 WRITTEN", bench.answers());
    assertFalse(changed.isDone());
    bench.store.force();
    assertTrue(changed.isDone());
    assertEquals("a@0 WRITTEN, b@1 FLUSHED", bench.answers());
  }

  @Test
  void theStoreIsClosedByTheWorkerAndNeverByTheCaller() {
    var _ = bench.partition.close(Reason.SHUTTING_DOWN, "stopping");
    assertFalse(bench.store.closed);
    bench.worker.runAll();
    assertTrue(bench.store.closed);
  }

  @Test
  void theObserverHearsOfWritesRecordsBytesAndTimes() {
    List<String> heard = new ArrayList<>();
    EngineObserver observer =
        new EngineObserver() {
          @Override
          public void onWrite(
              PartitionId partition, int batches, long records, long bytes, long nanos) {
            heard.add("%d %d %d %d".formatted(batches, records, bytes, nanos));
          }

          @Override
          public void onAcknowledged(PartitionId partition, boolean durable, long nanos) {
            heard.add(durable + " " + nanos);
          }

          @Override
          public void onWriteFailed(PartitionId partition, boolean full, String reason) {
            heard.add(full + " " + reason);
          }
        };
    Bench watched = new Bench(FlushPolicy.COMMIT, new MemoryStore(), observer);
    watched.store.duringAppend = () -> watched.nanos += 40;
    watched.offer("a", Bench.batch(2), Durability.TOPIC);
    watched.nanos = 100;
    watched.offer("b", Bench.batch(3), Durability.WRITTEN);
    watched.partition.drain();
    watched.nanos = 1000;
    watched.store.force();
    watched.store.goOffline("gone");
    watched.append("c", 1, Durability.TOPIC);
    assertEquals(
        List.of("2 5 " + (2 * 96 + 5 * 38) + " 40", "false 40", "true 1000", "false gone"), heard);
  }

  private void offerAll(int count, int bytes) {
    for (int i = 0; i < count; i++) {
      bench.offer("b" + i, Bench.batch(1, bytes - 96 - 28), Durability.TOPIC);
    }
  }

  private static String inOrder(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("b" + i + "@" + i + " WRITTEN");
    }
    return String.join(", ", names);
  }
}
