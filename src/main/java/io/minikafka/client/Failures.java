package io.minikafka.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** From what a future throws back to what was meant. */
final class Failures {
  private Failures() {}

  static MinikafkaException of(Throwable thrown) {
    Throwable cause = unwrap(thrown);
    return cause instanceof MinikafkaException known
        ? known
        : new ConnectionException("an error of the client: " + cause, cause);
  }

  /**
   * Waits for a result that is certain to come: every question has a deadline of its own.
   *
   * @throws MinikafkaException the future's, with the caller's stack trace as a suppressed one
   */
  static <T> T await(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
          if (!future.isDone()) {
            throw new ConnectionException("interrupted while waiting for an answer", e);
          }
        } catch (ExecutionException e) {
          MinikafkaException failure = of(e);
          failure.addSuppressed(new CallerTrace());
          throw failure;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Throwable unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      @Nullable Throwable inner = cause.getCause();
      if (inner == null) {
        return cause;
      }
      cause = inner;
    }
    return cause;
  }

  /** Shows who waited: the failure itself was made on a thread of the client. */
  static final class CallerTrace extends Exception {
    private static final long serialVersionUID = 1;

    CallerTrace() {
      super("waited for here");
    }
  }
}
