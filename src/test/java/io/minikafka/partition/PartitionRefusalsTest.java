package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a partition does not take, and what it says then. */
class PartitionRefusalsTest {
  @Test
  void aBatchOverTheLimitIsRefusedWithBothNumbersAndNothingIsWritten() {
    Bench bench = new Bench(FlushPolicy.NONE);
    var _ = bench.partition.configure(Bench.settings(FlushPolicy.NONE, 171));
    bench.append("a", 2, Durability.TOPIC);
    assertEquals(
        new Refused(Reason.TOO_LARGE, "batch of 172 bytes; max.message.bytes is 171"),
        bench.answers.getFirst().result());
    assertEquals(List.of(), bench.store.kept);
  }

  @Test
  void aRecordWithoutAKeyIsRefusedByItsNumberWhereCompactionGoesByKeys() {
    Bench bench = new Bench(FlushPolicy.NONE);
    PartitionSettings plain = Bench.settings(FlushPolicy.NONE);
    Cleanup cleanup = new Cleanup(CleanupPolicy.COMPACT_DELETE, 1, 0.5, 0);
    var _ =
        bench.partition.configure(
            new PartitionSettings(plain.store().withCleanup(cleanup), plain.maxMessageBytes()));
    bench.append("a", 2, Durability.TOPIC);
    assertEquals(
        new Refused(
            Reason.KEYLESS,
            "record 0 of the batch has no key; cleanup.policy is compact,delete, which goes by keys"),
        bench.answers.getFirst().result());
    assertEquals(List.of(), bench.store.kept);
    var _ = bench.partition.configure(plain);
    bench.append("b", 2, Durability.TOPIC);
    assertEquals(1, bench.store.kept.size());
  }

  @Test
  void withoutRoomNothingIsAssignedAndLaterAppendsTakeTheOffset() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.store.trouble =
        Optional.of(
            () -> {
              throw new NoRoomException("full", new IOException("full"));
            });
    bench.append("a", 3, Durability.TOPIC);
    bench.store.trouble = Optional.empty();
    bench.append("b", 3, Durability.WRITTEN);
    assertEquals("a DISK_FULL, b@0 WRITTEN", bench.answers());
    assertEquals(1, bench.store.flushes.get());
  }

  @Test
  void withoutRoomNothingIsSaidOfTheBatchesBefore() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 3, Durability.WRITTEN);
    bench.store.trouble =
        Optional.of(
            () -> {
              throw new NoRoomException("full", new IOException("full"));
            });

    bench.append("b", 3, Durability.WRITTEN);

    assertEquals(
        new Refused(
            Reason.DISK_FULL, "no room on the broker's disk; nothing of this batch was written"),
        bench.answers.getLast().result());
  }

  @Test
  void aFailedAppendIsStorageFailedAndTellsTheCause() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.store.trouble =
        Optional.of(
            () -> {
              throw new IOException("Input/output error");
            });
    bench.append("a", 3, Durability.WRITTEN);
    assertEquals(
        new Refused(Reason.STORAGE_FAILED, "the append failed: Input/output error"),
        bench.answers.getFirst().result());
  }

  @Test
  void aBugInTheStoreEndsThePartitionAndEveryBatchIsAnswered() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.store.trouble =
        Optional.of(
            () -> {
              throw new AssertionError("a bug");
            });
    bench.append("a", 1, Durability.TOPIC);
    bench.store.trouble = Optional.empty();
    bench.append("b", 1, Durability.TOPIC);
    assertEquals("a STORAGE_FAILED, b STORAGE_FAILED", bench.answers());
  }

  @Test
  void whatWaitsWhenTheStoreGoesOfflineFailsInOrder() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    for (String name : List.of("a", "b", "c")) {
      bench.append(name, 1, Durability.TOPIC);
    }
    bench.store.forceTo(1);
    bench.store.goOffline("a force failed");
    bench.append("d", 1, Durability.TOPIC);
    assertEquals(
        "a@0 FLUSHED, b STORAGE_FAILED, c STORAGE_FAILED, d STORAGE_FAILED", bench.answers());
    assertEquals(
        new Refused(Reason.STORAGE_FAILED, "a force failed"), bench.answers.get(1).result());
  }

  @Test
  void whatBecameDurableJustBeforeTheStoreWentOfflineIsAcknowledged() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 1, Durability.TOPIC);
    bench.append("b", 1, Durability.TOPIC);
    bench.store.forceSilently(1);
    bench.store.goOffline("a force failed");
    assertEquals("a@0 FLUSHED, b STORAGE_FAILED", bench.answers());
    assertEquals(1, bench.partition.highWatermark());
  }

  /** Nobody will tell of it again: the listener was not there yet. */
  @Test
  void aStoreThatWentOfflineBeforeThePartitionWasMadeLeavesNothingWaiting() {
    MemoryStore store = new MemoryStore(opened(1, 0, 0, 5, 0));
    store.goOffline("damage");
    Bench bench = new Bench(FlushPolicy.NONE, store);
    assertTrue(bench.partition.configure(Bench.settings(FlushPolicy.COMMIT)).isDone());
  }

  @Test
  void offsetsEndBeforeTheyOverflow() {
    long last = Long.MAX_VALUE - 2;
    Bench bench = new Bench(FlushPolicy.NONE, new MemoryStore(opened(1, last, last, last, 0)));
    bench.append("a", 3, Durability.TOPIC);
    bench.append("b", 2, Durability.TOPIC);
    bench.append("c", 1, Durability.TOPIC);
    assertEquals(
        "a STORAGE_FAILED, b@%d WRITTEN, c STORAGE_FAILED".formatted(last), bench.answers());
  }

  private static PartitionStore.Snapshot opened(
      int epoch, long start, long durable, long end, long lastAppendTime) {
    return new PartitionStore.Snapshot(epoch, start, durable, end, lastAppendTime, "");
  }
}
