package io.minikafka.broker;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of the data port, as an operator sees them; the network layer keeps them. Any
 * thread; nothing here waits. What is told of a connection was so at one moment, and connections
 * end at any time.
 */
public interface Connections {
  /** How many are open. */
  int count();

  /** How many may be open at once. */
  int limit();

  /**
   * @param after only those with a higher number
   * @param limit at most so many
   * @return by number
   */
  CompletableFuture<List<ConnectionDescription>> list(long after, int limit);

  /** One of them; empty if there is none of that number. */
  CompletableFuture<Optional<ConnectionDescription>> describe(long id);

  /**
   * Ends one; what it had sent is treated as whenever a client goes.
   *
   * @return how it was; empty if there is none of that number, and nothing happened
   */
  CompletableFuture<Optional<ConnectionDescription>> close(long id);
}
