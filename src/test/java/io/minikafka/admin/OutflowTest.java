package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.broker.Feed;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Answers in parts, with the feed and the client in the test's hands. */
class OutflowTest {
  private final HandFeed feed = new HandFeed();
  private final HandOutlet outlet = new HandOutlet();
  private final List<String> told = new ArrayList<>();
  private final List<String> letGo = new ArrayList<>();
  private final List<Outflow<Integer, String>> flows = new ArrayList<>();

  /** Gives what the test says, when it says so. */
  private static final class HandFeed implements Feed<Integer> {
    CompletableFuture<Result<Optional<Integer>>> asked = new CompletableFuture<>();
    int questions;
    int closings;

    @Override
    public CompletableFuture<Result<Optional<Integer>>> next() {
      questions++;
      asked = new CompletableFuture<>();
      return asked;
    }

    void give(int part) {
      asked.complete(Result.done(Optional.of(part)));
    }

    @Override
    public void close() {
      closings++;
      asked.cancel(false);
    }
  }

  /** A client that takes something when the test says so. */
  private static final class HandOutlet implements Outlet {
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void whenReady(Runnable work) {
      waiting.add(work);
    }

    void takeAll() {
      for (Runnable work = waiting.poll(); work != null; work = waiting.poll()) {
        work.run();
      }
    }
  }

  private Cancellable begin() {
    Multi<String> parts =
        Multi.createFrom()
            .emitter(
                out -> {
                  Outflow<Integer, String> flow =
                      new Outflow<>(
                          feed,
                          part -> "part " + 100 / part,
                          refusal -> new IllegalStateException(refusal.reason()),
                          failure -> new IllegalStateException("failed: " + failure),
                          outlet,
                          out);
                  flow.lettingGoOf(() -> letGo.add("timer"));
                  flow.begin();
                  flows.add(flow);
                });
    return parts
        .subscribe()
        .with(told::add, failure -> told.add(failure.getMessage()), () -> told.add("end"));
  }

  @Test
  void nextPartIsAskedForWhenTheClientHasTakenTheOneBefore() {
    begin();
    assertEquals(0, feed.questions);
    outlet.takeAll();
    feed.give(1);
    assertEquals(1, feed.questions);
    assertEquals(List.of("part 100"), told);
    outlet.takeAll();
    assertEquals(2, feed.questions);
  }

  @Test
  void endOfTheFeedEndsTheAnswer() {
    begin();
    outlet.takeAll();
    feed.asked.complete(Result.done(Optional.empty()));
    outlet.takeAll();
    assertEquals(List.of("end"), told);
    assertEquals(1, feed.closings);
    assertEquals(List.of("timer"), letGo);
  }

  @Test
  void refusalIsTheStatusOfTheCall() {
    begin();
    outlet.takeAll();
    feed.asked.complete(
        Result.refused(Refusal.of(Refusal.Kind.UNAVAILABLE, "GROUPS_NOT_SERVED", "not now")));
    assertEquals(List.of("GROUPS_NOT_SERVED"), told);
    assertEquals(1, feed.closings);
  }

  @Test
  void clientThatCancelsClosesTheFeedAndIsToldNothing() {
    Cancellable call = begin();
    outlet.takeAll();
    CompletableFuture<?> asked = feed.asked;
    call.cancel();
    assertTrue(asked.isCancelled());
    assertEquals(List.of(), told);
    assertEquals(1, feed.closings);
    assertEquals(List.of("timer"), letGo);
    outlet.takeAll();
    assertEquals(1, feed.questions);
  }

  @Test
  void endFromOutsideComesOnceAndNothingFollows() {
    begin();
    outlet.takeAll();
    flows.getFirst().fail(Status.DEADLINE_EXCEEDED.asRuntimeException());
    flows.getFirst().fail(Status.UNAVAILABLE.asRuntimeException());
    outlet.takeAll();
    assertEquals(List.of("DEADLINE_EXCEEDED"), told);
    assertEquals(1, feed.closings);
  }

  @Test
  void partThatCannotBePutIntoWordsEndsTheCall() {
    begin();
    outlet.takeAll();
    feed.give(0);
    assertEquals(List.of("failed: java.lang.ArithmeticException: / by zero"), told);
    assertEquals(1, feed.closings);
  }

  @Test
  void whatIsRegisteredTooLateIsLetGoAtOnce() {
    begin();
    flows.getFirst().fail(Status.CANCELLED.asRuntimeException());
    flows.getFirst().lettingGoOf(() -> letGo.add("late"));
    assertEquals(List.of("timer", "late"), letGo);
  }
}
