package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cuts by a repair among appends, and what a partition says that takes none any more. */
class PartitionCutTest {
  /** Readings of the clock: at the offer, then before and after the write. */
  private static final int BEFORE_WRITE = 2;

  private static final int AFTER_WRITE = 3;

  /** Cuts the log in the middle of the next append. */
  private static void cutWithin(Bench bench, int reading, long offset) {
    int[] readings = {0};
    bench.onClock =
        () -> {
          if (++readings[0] == reading) {
            cut(bench, offset);
          }
        };
  }

  private static void cut(Bench bench, long offset) {
    try {
      var _ = bench.partition.repair(RepairAction.CUT, offset, false);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAppendUnderWayIsWrittenBeforeACutAndTheNextAtTheNewEnd() {
    Bench bench = new Bench(FlushPolicy.NONE);
    bench.append("a", 5, Durability.TOPIC);
    cutWithin(bench, BEFORE_WRITE, 3);
    bench.append("b", 5, Durability.TOPIC);
    bench.append("c", 1, Durability.TOPIC);
    bench.worker.runAll();
    bench.append("d", 1, Durability.TOPIC);
    assertEquals("a@0 WRITTEN, b@5 WRITTEN, c@3 WRITTEN, d@4 WRITTEN", bench.answers());
    assertEquals("", bench.partition.snapshot().offline());
    assertEquals(5, bench.partition.highWatermark());
  }

  @Test
  void whatACutTookIsRefusedAndNeverAnsweredAsDurable() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 5, Durability.TOPIC);
    bench.store.force();
    cutWithin(bench, AFTER_WRITE, 5);
    bench.append("b", 5, Durability.TOPIC);
    bench.worker.runAll();
    bench.append("c", 10, Durability.TOPIC);
    bench.store.force();
    assertEquals("a@0 FLUSHED, b STORAGE_FAILED, c@5 FLUSHED", bench.answers());
  }

  @Test
  void aFlushBehindACutEnds() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 5, Durability.TOPIC);
    CompletableFuture<Void> flushed = bench.partition.flush();
    cut(bench, 0);
    assertFalse(flushed.isDone());
    bench.worker.runAll();
    assertTrue(flushed.isDone());
  }

  @Test
  void aPartitionThatABugEndedIsOfflineInEveryViewAndARepairDoesNotHideIt() {
    List<String> heard = new ArrayList<>();
    EngineObserver observer =
        new EngineObserver() {
          @Override
          public void onOffline(PartitionId partition, String reason) {
            heard.add(reason);
          }
        };
    Bench bench = new Bench(FlushPolicy.NONE, new MemoryStore(), observer);
    bench.store.mayBlock =
        bytes -> {
          throw new IllegalStateException("a bug");
        };
    bench.append("a", 1, Durability.TOPIC);
    cut(bench, 0);
    bench.worker.runAll();
    bench.append("b", 1, Durability.TOPIC);
    assertEquals("a STORAGE_FAILED, b STORAGE_FAILED", bench.answers());
    assertEquals(1, heard.size());
    assertEquals(heard.getFirst(), bench.partition.snapshot().offline());
  }
}
