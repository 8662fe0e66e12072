package io.minikafka.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.HandExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ChangeQueueTest {
  private final HandExecutor worker = new HandExecutor();
  private final ChangeQueue queue = new ChangeQueue(worker);
  private final List<String> begun = new ArrayList<>();

  private CompletableFuture<String> submit(String name, CompletableFuture<String> work) {
    return queue.submit(
        () -> {
          begun.add(name);
          return work;
        });
  }

  @Test
  void nextChangeBeginsWhenTheOneBeforeHasEnded() {
    CompletableFuture<String> slow = new CompletableFuture<>();
    CompletableFuture<String> first = submit("first", slow);
    CompletableFuture<String> second = submit("second", CompletableFuture.completedFuture("2"));
    worker.runAll();
    assertEquals(List.of("first"), begun);
    assertFalse(first.isDone());
    slow.complete("1");
    worker.runAll();
    assertEquals(List.of("first", "second"), begun);
    assertEquals("1", first.join());
    assertEquals("2", second.join());
  }

  @Test
  void changeThatThrowsDoesNotStopTheQueue() {
    CompletableFuture<String> bad =
        queue.submit(
            () -> {
              throw new IllegalStateException("a bug");
            });
    CompletableFuture<String> good = submit("good", CompletableFuture.completedFuture("2"));
    worker.runAll();
    assertThrows(CompletionException.class, bad::join);
    assertEquals("2", good.join());
  }

  @Test
  void changeCancelledBeforeItsTurnIsLeftOut() {
    submit("first", CompletableFuture.completedFuture("1"));
    CompletableFuture<String> second = submit("second", CompletableFuture.completedFuture("2"));
    submit("third", CompletableFuture.completedFuture("3"));
    second.cancel(false);
    worker.runAll();
    assertEquals(List.of("first", "third"), begun);
  }

  @Test
  void changeCancelledWhileItWaitsForTheWorkerIsLeftOut() {
    CompletableFuture<String> only = submit("only", CompletableFuture.completedFuture("1"));
    assertEquals(1, worker.waiting());
    only.cancel(false);
    worker.runAll();
    assertEquals(List.of(), begun);
  }

  @Test
  void workerThatTakesNothingMoreFailsTheChangeAndLosesNone() {
    CompletableFuture<String> first = submit("first", CompletableFuture.completedFuture("1"));
    CompletableFuture<String> second = submit("second", CompletableFuture.completedFuture("2"));
    worker.stop();
    worker.runAll();
    assertEquals("1", first.join());
    assertTrue(second.isCompletedExceptionally());
    assertTrue(submit("third", CompletableFuture.completedFuture("3")).isCompletedExceptionally());
  }
}
