package io.minikafka.broker;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An answer in parts. Its reader asks for one after the other, and for the next only when it can
 * take it: so who reads slowly is told less often, and nothing is gathered for it.
 *
 * <p>Made for one reader. Ends when {@link #next} says so, or by {@link #close}.
 *
 * @param <T> what a part is
 */
public interface Feed<T> {
  /**
   * Any thread; never blocks.
   *
   * @return the next part when there is one; none at the end; a refusal if it cannot go on, which
   *     is an end too. Asked again only after that was answered. After {@link #close} it ends, or
   *     is cancelled
   */
  CompletableFuture<Result<Optional<T>>> next();

  /**
   * Lets go of all that the feed holds, also what {@link #next} has begun. Any thread, more than
   * once, also while a part is being asked for.
   */
  void close();
}
