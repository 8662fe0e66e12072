package io.minikafka.admin;

import io.minikafka.broker.Feed;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * One call that is answered in parts: asks for the next when the client has taken the one before,
 * and never earlier, so that at most one part waits for a client.
 *
 * <p><b>Life-cycle.</b> {@link #begin} once. Ends with the feed, with the call (cancelled, lost, or
 * its deadline), or with the broker; then the feed is closed, and nothing is left behind.
 *
 * <p>Any thread.
 */
final class Outflow<T, A> {
  private final Feed<T> feed;
  private final Function<T, A> answer;
  private final Function<Refusal, Throwable> refused;
  private final Function<Throwable, Throwable> failed;
  private final Outlet outlet;
  private final MultiEmitter<? super A> out;

  // Guarded by this.
  private final List<Runnable> lettingGo = new ArrayList<>();
  private boolean ended;

  /**
   * @param refused what the client is told of a refusal
   * @param failed what the client is told of an unexpected failure
   */
  Outflow(
      Feed<T> feed,
      Function<T, A> answer,
      Function<Refusal, Throwable> refused,
      Function<Throwable, Throwable> failed,
      Outlet outlet,
      MultiEmitter<? super A> out) {
    this.feed = feed;
    this.answer = answer;
    this.refused = refused;
    this.failed = failed;
    this.outlet = outlet;
    this.out = out;
  }

  void begin() {
    out.onTermination(this::end);
    outlet.whenReady(this::ask);
  }

  /**
   * @param registration run when all is over, at once if it is already
   */
  void lettingGoOf(Runnable registration) {
    synchronized (this) {
      if (!ended) {
        lettingGo.add(registration);
        return;
      }
    }
    registration.run();
  }

  private void ask() {
    if (hasEnded()) {
      return;
    }
    feed.next()
        .thenAccept(this::take)
        .exceptionally(
            failure -> {
              fail(failed.apply(cause(failure)));
              return null;
            });
  }

  private void take(Result<Optional<T>> part) {
    switch (part) {
      case Result.Done<Optional<T>>(Optional<T> there) -> {
        if (there.isPresent()) {
          give(there.get());
        } else if (end()) {
          out.complete();
        }
      }
      case Result.Refused<Optional<T>>(Refusal refusal) -> fail(refused.apply(refusal));
    }
  }

  private void give(T part) {
    if (!hasEnded()) {
      out.emit(answer.apply(part));
      outlet.whenReady(this::ask);
    }
  }

  /** Ends the call with a status, unless it has ended. */
  void fail(Throwable status) {
    if (end()) {
      out.fail(status);
    }
  }

  /**
   * @return whether it had not ended before
   */
  private boolean end() {
    List<Runnable> registrations;
    synchronized (this) {
      if (ended) {
        return false;
      }
      ended = true;
      registrations = List.copyOf(lettingGo);
      lettingGo.clear();
    }
    registrations.forEach(Runnable::run);
    feed.close();
    return true;
  }

  private synchronized boolean hasEnded() {
    return ended;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
