package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads records of the partitions it was assigned, all of them in one long poll, the next fetch
 * under way while the application works on the last.
 *
 * <p>One thread at a time (a second one gets {@link java.util.ConcurrentModificationException});
 * only {@link #wakeup} may come from any. A consumer owns one connection and its threads until it
 * is closed.
 *
 * <p><b>Promises.</b> Within a partition records come in offset order, none twice and none left
 * out, also over lost connections: the position moves only with records that {@link #poll}
 * returned. Every record's checksum was checked, and that it stands where the one before ended.
 *
 * <p><b>Failures.</b> {@link #poll} throws {@link FetchException} when one partition cannot be read
 * on, {@link ServerException} when the server refuses, {@link ConnectionException} when no
 * connection could be made for {@code outageMs}; positions are kept, the next {@code poll} tries
 * again. Records that came with the failure are returned first.
 */
public final class Consumer implements AutoCloseable {
  private Consumer() {}

  /** Returns at once; the first call that needs the server connects. */
  public static Consumer open(ConsumerSettings settings) {
    throw new UnsupportedOperationException();
  }

  /**
   * Replaces the assignment. Partitions that stay keep their positions; new ones begin where {@code
   * seek} says, or else the reset policy.
   */
  public void assign(Collection<TopicPartition> partitions) {
    throw new UnsupportedOperationException();
  }

  public Set<TopicPartition> assignment() {
    throw new UnsupportedOperationException();
  }

  /**
   * The next record is the first with this offset or a larger one. What was fetched ahead is
   * dropped.
   *
   * @throws IllegalArgumentException if the partition is not assigned or the offset negative
   */
  public void seek(TopicPartition partition, long offset) {
    throw new UnsupportedOperationException();
  }

  /** To the first record there is, at the time of the next {@code poll} or {@code position}. */
  public void seekToBeginning(Collection<TopicPartition> partitions) {
    throw new UnsupportedOperationException();
  }

  /** Behind the last record there is, at the time of the next {@code poll} or {@code position}. */
  public void seekToEnd(Collection<TopicPartition> partitions) {
    throw new UnsupportedOperationException();
  }

  /**
   * To the first record that is not older than this time; to the end if there is none.
   *
   * @throws UnsupportedByServerException at the next {@code poll} or {@code position}, if the
   *     server speaks version 0
   */
  public void seekToTime(TopicPartition partition, long timestampMs) {
    throw new UnsupportedOperationException();
  }

  /**
   * Waits until there are records, at most {@code maxWait}; empty if there were none.
   *
   * @throws WakeupException if {@link #wakeup} was called, also before
   */
  public List<ConsumerRecord> poll(Duration maxWait) {
    throw new UnsupportedOperationException();
  }

  /** The offset of the next record {@code poll} returns from there; asks the server if need be. */
  public long position(TopicPartition partition) {
    throw new UnsupportedOperationException();
  }

  /** The high watermark the last fetch of an assigned partition told; empty before the first. */
  public OptionalLong highWatermark(TopicPartition partition) {
    throw new UnsupportedOperationException();
  }

  /** The first offset of each, of any partitions, assigned or not. */
  public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
    throw new UnsupportedOperationException();
  }

  /** The offset behind the last visible record of each, of any partitions, assigned or not. */
  public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    throw new UnsupportedOperationException();
  }

  /**
   * The offset of the first record that is not older than the time; empty if there is none.
   *
   * @throws UnsupportedByServerException if the server speaks version 0
   */
  public OptionalLong offsetForTime(TopicPartition partition, long timestampMs) {
    throw new UnsupportedOperationException();
  }

  /**
   * The number of partitions of a topic.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public int partitionCount(String topic) {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends a {@code poll} that is waiting in another thread, or else the next one, with {@link
   * WakeupException}. Any thread.
   */
  public void wakeup() {
    throw new UnsupportedOperationException();
  }

  /** Ends the threads and the connection. Safe to call again; only from the polling thread. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
