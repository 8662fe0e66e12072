package io.minikafka.app;

import io.smallrye.config.WithDefault;

/** How long stopping may take, {@code minikafka.shutdown.}; what is left after it is abandoned. */
public interface ShutdownSettings {
  /**
   * Milliseconds between "not ready" and the first thing that stops, during which everything is
   * served as before. More: load balancers have turned away by then. Less: a faster stop.
   */
  @WithDefault("0")
  long delayMs();

  /**
   * Milliseconds for requests under way: parked fetches are answered, queued produces finished.
   * More: fewer clients see a broken connection. Less: a faster stop.
   */
  @WithDefault("10000")
  long drainTimeoutMs();

  /**
   * Milliseconds for the last group commit, the checkpoint and the clean mark. More: a slow disk
   * still stops clean. Less: the next start may have to recover.
   */
  @WithDefault("20000")
  long flushTimeoutMs();
}
