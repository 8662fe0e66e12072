package io.minikafka.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends records, in batches, several batches at a time.
 *
 * <p>Any thread; the records of one partition go in the order their {@code send} calls began to
 * return. A producer owns one connection and three daemon threads until it is closed.
 *
 * <p><b>Partition.</b> The one the record names; else by its key, FNV-1a 32-bit (unsigned) modulo
 * the partition count; else as {@link ProducerSettings.Keyless} says.
 *
 * <p><b>What an acknowledgement means.</b> The record is in the log, at that offset, as durable as
 * the {@link Ack} says.
 *
 * <p><b>Failures.</b> Nothing is ever sent twice. A batch the server refuses fails alone with a
 * {@link ServerException}; batches behind it may have been written, so the order is that of the
 * records that were acknowledged. When a batch was sent and its outcome is unknown (connection
 * lost, time run out) it fails with {@link UnknownOutcomeException}, and so does every later batch
 * of that partition that was sent; those not yet sent fail with {@link NotSentException}. All of
 * them fail in order, so an application that wants to send them again can do so in order. While
 * nothing of a partition is in flight a lost connection costs it nothing: what waits is sent after
 * reconnecting, for at most {@code outageMs}.
 *
 * <p><b>Bounds.</b> {@code maxBufferedBytes} of records; {@code maxInFlight} batches a partition.
 */
public final class Producer implements AutoCloseable {
  private Producer() {}

  /** Returns at once; connecting begins in the background. */
  public static Producer open(ProducerSettings settings) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes a record. Blocks only for memory (if so configured) and for the first news of a topic.
   *
   * <p>Cancelling the future has no effect on the record.
   *
   * @return completed with the receipt, or exceptionally with a {@link MinikafkaException}
   * @throws IllegalStateException if the producer is closed
   */
  public CompletableFuture<Ack> send(ProducerRecord record) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes a record and calls back; costs one object less than the future.
   *
   * @throws IllegalStateException if the producer is closed
   */
  public void send(ProducerRecord record, SendCallback callback) {
    throw new UnsupportedOperationException();
  }

  /**
   * Sends what is batched without waiting for linger, and waits until every record taken before the
   * call has been acknowledged or has failed. Says nothing about failures: the futures do.
   *
   * @throws InterruptedException if interrupted; the records go on
   */
  public void flush() throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * The number of partitions of a topic; asks the server if this producer has not yet.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public int partitionCount(String topic) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #close(Duration)} with {@code requestTimeoutMs}. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes no more records, sends what is there, waits for the answers, ends the threads. What has
   * no answer at the end of {@code timeout} fails, in order. Safe to call again. An interrupt cuts
   * the wait short and stays set.
   */
  public void close(Duration timeout) {
    throw new UnsupportedOperationException();
  }
}
