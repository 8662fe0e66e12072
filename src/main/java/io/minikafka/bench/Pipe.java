package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A producer and a consumer of one partition: what latency is measured through. The sender's calls
 * come from one thread, the reader's from another, {@link #close} when both are over.
 */
interface Pipe extends AutoCloseable {
  /** Connects both ends; the consumer stands behind the last record. */
  void open() throws IOException;

  /** Sends one record and does not wait. */
  void send(byte[] value, Answer answer) throws IOException;

  /** Waits until every record is acknowledged or has failed. */
  void flush() throws IOException, InterruptedException;

  /**
   * Waits for records, a second at most.
   *
   * @return false after {@link #wakeup}
   */
  boolean poll(Consumer<ByteBuffer> values);

  /** Ends {@code poll}, now or the next. Any thread. */
  void wakeup();

  /** What the acknowledgements reached; empty if they do not say. */
  String durability();

  @Override
  void close();

  /** Hears what became of a record, on a thread of the producer. */
  interface Answer {
    void acknowledged();

    void failed(Exception why);
  }
}
