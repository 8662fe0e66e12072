package io.minikafka.bench;

import java.io.IOException;

/**
 * One connection's part of a point: connected by its constructor, used for the warm-up and every
 * repetition, on one thread at a time.
 *
 * <p>{@link #close} may come from another thread while {@code run} waits for an answer that never
 * comes; {@code run} then fails.
 */
interface Load extends AutoCloseable {
  /** What must be done before a repetition and is not measured; all loads of a point at once. */
  default void prepare() throws IOException, InterruptedException {}

  /** Sends (or reads) until the limit, and returns when the last answer is there. */
  Work run(Limit limit) throws IOException, InterruptedException;

  /** What the answers promised: {@code written} or {@code flushed}; empty if they do not say. */
  default String durability() {
    return "";
  }

  @Override
  void close() throws IOException;
}
