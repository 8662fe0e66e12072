package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** How a partition ends. */
class PartitionEndTest {
  @Test
  void closeFinishesWhatWasOfferedAndRefusesWhatComesLater() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    assertTrue(bench.offer("a", Bench.batch(1), Durability.TOPIC));
    CompletableFuture<Void> done = bench.partition.close(Reason.SHUTTING_DOWN, "stopping");
    bench.append("b", 1, Durability.TOPIC);
    bench.partition.drain();
    assertFalse(done.isDone());
    bench.worker.runAll();
    assertTrue(done.isDone());
    assertEquals("b SHUTTING_DOWN, a@0 FLUSHED", bench.answers());
    assertEquals(new Refused(Reason.SHUTTING_DOWN, "stopping"), bench.answers.get(0).result());
  }

  @Test
  void closeFailsWhatTheStoreCouldNotMakeDurable() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.append("a", 1, Durability.TOPIC);
    bench.store.closeFailure = Optional.of(new IOException("Input/output error"));
    List<String> order = new ArrayList<>();
    CompletableFuture<Void> done = bench.partition.close(Reason.SHUTTING_DOWN, "stopping");
    done.whenComplete((nothing, failure) -> order.add("closed after " + bench.answers()));
    bench.worker.runAll();
    assertThrows(CompletionException.class, done::join);
    assertEquals(List.of("closed after a STORAGE_FAILED"), order);
  }

  @Test
  void aSecondCloseIsTheFirst() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    CompletableFuture<Void> first = bench.partition.close(Reason.DELETED, "deleted");
    CompletableFuture<Void> second = bench.partition.close(Reason.SHUTTING_DOWN, "stopping");
    bench.worker.runAll();
    bench.append("a", 1, Durability.TOPIC);
    assertTrue(first.isDone() && second.isDone() && !second.isCompletedExceptionally());
    assertEquals("a DELETED", bench.answers());
  }

  /** The batch passed the first look before the close and was queued behind it. */
  @Test
  void aBatchThatSlippedInBehindTheCloseIsToldSo() {
    Bench bench = new Bench(FlushPolicy.COMMIT);
    bench.onClock = () -> bench.partition.close(Reason.DELETED, "the topic was deleted");
    bench.append("a", 1, Durability.TOPIC);
    bench.worker.runAll();
    assertEquals("a DELETED", bench.answers());
  }

  @Test
  void aStoreThatThrowsOnCloseStillEndsTheClose() {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public void close() {
            throw new IllegalStateException("a bug");
          }
        };
    Bench bench = new Bench(FlushPolicy.COMMIT, store);
    bench.append("a", 1, Durability.TOPIC);
    CompletableFuture<Void> done = bench.partition.close(Reason.DELETED, "deleted");
    bench.worker.runAll();
    assertTrue(done.isCompletedExceptionally());
    assertEquals("a STORAGE_FAILED", bench.answers());
  }

  @Test
  void settingsThatComeAfterTheCloseDoNotReachTheStore() {
    Bench bench = new Bench(FlushPolicy.NONE);
    var _ = bench.partition.close(Reason.DELETED, "deleted");
    bench.worker.runAll();
    assertTrue(bench.partition.configure(Bench.settings(FlushPolicy.COMMIT)).isDone());
    assertEquals(1, bench.store.configured.size());
  }
}
