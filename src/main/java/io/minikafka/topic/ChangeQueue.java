package io.minikafka.topic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Carries out changes one at a time, in the order they came, each to its end before the next
 * begins. Each begins on the worker and may block there.
 *
 * <p>A change that was cancelled before its turn is left out. Any thread.
 */
final class ChangeQueue {
  private final Executor worker;

  // Guarded by itself.
  private final Deque<Change<?>> waiting = new ArrayDeque<>();

  /** Guarded by {@link #waiting}. */
  private boolean busy;

  private record Change<T>(Supplier<CompletableFuture<T>> work, CompletableFuture<T> promise) {}

  ChangeQueue(Executor worker) {
    this.worker = worker;
  }

  /**
   * @return completes as what {@code work} returns does; cancel it to withdraw the change
   */
  <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> work) {
    CompletableFuture<T> promise = new CompletableFuture<>();
    synchronized (waiting) {
      waiting.add(new Change<>(work, promise));
      if (busy) {
        return promise;
      }
      busy = true;
    }
    next();
    return promise;
  }

  private void next() {
    while (true) {
      Change<?> change;
      synchronized (waiting) {
        change = waiting.poll();
        if (change == null) {
          busy = false;
          return;
        }
      }
      if (change.promise.isDone()) {
        continue;
      }
      try {
        worker.execute(() -> begin(change));
        return;
      } catch (RejectedExecutionException e) {
        change.promise.completeExceptionally(e);
      }
    }
  }

  private <T> void begin(Change<T> change) {
    CompletableFuture<T> done;
    try {
      done = change.promise.isDone() ? change.promise : change.work.get();
    } catch (RuntimeException | Error e) {
      done = CompletableFuture.failedFuture(e);
    }
    done.whenComplete(
        (value, failure) -> {
          if (failure != null) {
            change.promise.completeExceptionally(failure);
          } else {
            change.promise.complete(value);
          }
          next();
        });
  }
}
