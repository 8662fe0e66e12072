package io.minikafka.client;

import io.minikafka.record.Header;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A record to be sent. Immutable as far as the caller leaves its arrays alone until {@code send}
 * has returned: by then they were copied.
 *
 * <p>What is not given is chosen by the producer: the partition by the key, the time by its clock.
 */
public final class ProducerRecord {
  private static final int ANY_PARTITION = -1;
  private static final long NOW = Long.MIN_VALUE;

  private final String topic;
  private final int partition;
  private final long timestamp;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final List<Header> headers;

  private ProducerRecord(
      String topic,
      int partition,
      long timestamp,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers) {
    this.topic = topic;
    this.partition = partition;
    this.timestamp = timestamp;
    this.key = key;
    this.value = value;
    this.headers = headers;
  }

  /** A record without a key. */
  public static ProducerRecord of(String topic, byte[] value) {
    return new ProducerRecord(topic, ANY_PARTITION, NOW, null, value, List.of());
  }

  /** A record with a key, also an empty one: the same key goes to the same partition. */
  public static ProducerRecord of(String topic, byte[] key, byte[] value) {
    return new ProducerRecord(topic, ANY_PARTITION, NOW, key, value, List.of());
  }

  /** A record that says the key has no value any more. */
  public static ProducerRecord tombstone(String topic, byte[] key) {
    return new ProducerRecord(topic, ANY_PARTITION, NOW, key, null, List.of());
  }

  /** The same, for this partition whatever the key says. */
  public ProducerRecord inPartition(int number) {
    if (number < 0) {
      throw new IllegalArgumentException("partition %d is negative".formatted(number));
    }
    return new ProducerRecord(topic, number, timestamp, key, value, headers);
  }

  /**
   * The same with a time.
   *
   * @param timestampMs since the epoch, 0 or more
   */
  public ProducerRecord at(long timestampMs) {
    if (timestampMs < 0) {
      throw new IllegalArgumentException("timestamp %d is negative".formatted(timestampMs));
    }
    return new ProducerRecord(topic, partition, timestampMs, key, value, headers);
  }

  /** The same with these headers, in this order. */
  public ProducerRecord withHeaders(List<Header> list) {
    return new ProducerRecord(topic, partition, timestamp, key, value, List.copyOf(list));
  }

  public String topic() {
    return topic;
  }

  /** Empty: the producer chooses. */
  public OptionalInt partition() {
    return partition == ANY_PARTITION ? OptionalInt.empty() : OptionalInt.of(partition);
  }

  /** Milliseconds since the epoch; empty: the time at which it is sent. */
  public OptionalLong timestamp() {
    return timestamp == NOW ? OptionalLong.empty() : OptionalLong.of(timestamp);
  }

  /** Empty: no key. The array is not copied. */
  public Optional<byte[]> key() {
    return Optional.ofNullable(key);
  }

  /** Empty: a tombstone. The array is not copied. */
  public Optional<byte[]> value() {
    return Optional.ofNullable(value);
  }

  public List<Header> headers() {
    return headers;
  }

  boolean hasPartition() {
    return partition != ANY_PARTITION;
  }

  int partitionOrMinusOne() {
    return partition;
  }

  long timestampOr(long nowMs) {
    return timestamp == NOW ? nowMs : timestamp;
  }

  byte @Nullable [] rawKey() {
    return key;
  }

  byte @Nullable [] rawValue() {
    return value;
  }
}
