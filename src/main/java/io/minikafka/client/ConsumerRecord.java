package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.codec.Bytes;
import io.minikafka.record.Header;
import io.minikafka.record.RecordView;
import java.util.List;
import java.util.Optional;

/**
 * A record as it was read. Immutable; its bytes were checked.
 *
 * <p>Key, value and headers are views of the answer they came in, which stays in memory for as long
 * as one of its records does: who keeps a few records for long copies their bytes ({@link
 * Bytes#toArray}).
 */
public final class ConsumerRecord {
  private final TopicPartition source;
  private final RecordView view;

  ConsumerRecord(TopicPartition source, RecordView view) {
    this.source = source;
    this.view = view;
  }

  /** Topic and partition. */
  public TopicPartition source() {
    return source;
  }

  public String topic() {
    return source.topic();
  }

  public int partition() {
    return source.partition();
  }

  public long offset() {
    return view.offset();
  }

  /** Milliseconds since the epoch, as the producer set it. */
  public long timestamp() {
    return view.timestamp();
  }

  /** Empty: no key, which is not the same as a key of no bytes. */
  public Optional<Bytes> key() {
    return view.key();
  }

  /** Empty: a tombstone. */
  public Optional<Bytes> value() {
    return view.value();
  }

  /** In the order they were sent. */
  public List<Header> headers() {
    return view.headers();
  }

  @Override
  public String toString() {
    return source + "@" + offset();
  }
}
