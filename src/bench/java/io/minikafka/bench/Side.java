package io.minikafka.bench;

import java.io.IOException;

/**
 * One of the two brokers that are compared, with its clients. One thread; {@link #close} ends the
 * broker.
 */
interface Side extends AutoCloseable {
  /** As a row's {@code system} has it. */
  String system();

  /** Producers on a fresh topic. */
  Crew producers(Point.Produce point, Effort effort) throws IOException, InterruptedException;

  /** A consumer of a fresh topic that was filled before. */
  Crew consumers(Point.Consume point, Effort effort) throws IOException, InterruptedException;

  /** Through a fresh topic. */
  Pipe pipe(Point.Latency point) throws IOException, InterruptedException;

  /** Deletes the topics that were made. */
  void removeTopics() throws IOException, InterruptedException;

  /** What the broker has used so far. */
  Usage usage() throws IOException;

  ProcessHandle handle();

  /** From the broker's launch until it was ready. */
  long readyNanos();

  @Override
  void close();
}
