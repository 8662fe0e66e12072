package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.Entry;
import io.minikafka.record.Header;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition on their way: open (being filled), sealed, under way, settled (its
 * outcome is known), delivered (its callbacks were told). {@link PartitionQueue} moves it along
 * under its lock.
 */
final class ProducerBatch {
  private static final System.Logger LOG = System.getLogger(ProducerBatch.class.getName());

  // Constant after construction.
  private final TopicInfo topic;
  private final TopicPartition partition;
  private final BatchBuilder builder;
  private final CompletableFuture<Void> delivered = new CompletableFuture<>();

  // Guarded by the queue's lock until the batch is settled; then the deliverer's alone.
  private @Nullable SendCallback[] callbacks = new SendCallback[16];
  private long bytes;
  private boolean needsVersion1;
  private @Nullable Sent<ProduceReceipt> sent;
  private @Nullable UnknownOutcomeException behind;
  private @Nullable ProduceReceipt receipt;
  private @Nullable MinikafkaException failure;

  /**
   * @param builder empty; the batch's own until it was delivered
   */
  ProducerBatch(TopicInfo topic, TopicPartition partition, BatchBuilder builder) {
    this.topic = topic;
    this.partition = partition;
    this.builder = builder;
  }

  TopicInfo topic() {
    return topic;
  }

  TopicPartition partition() {
    return partition;
  }

  int count() {
    return builder.count();
  }

  int entriesBytes() {
    return builder.entriesBytes();
  }

  /** Bytes taken from the budget for its records. */
  long bytes() {
    return bytes;
  }

  boolean needsVersion1() {
    return needsVersion1;
  }

  ByteBuffer version0() {
    return builder.version0();
  }

  ByteBuffer version1() {
    return builder.version1();
  }

  /**
   * @param budgetBytes what was taken from the budget for it
   */
  void append(
      long timestamp,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers,
      long budgetBytes,
      SendCallback callback) {
    int index = builder.count();
    builder.append(timestamp, key, value, headers);
    if (index == callbacks.length) {
      callbacks = Arrays.copyOf(callbacks, 2 * index);
    }
    callbacks[index] = callback;
    bytes += budgetBytes;
    needsVersion1 |= key == null || value == null || !headers.isEmpty();
  }

  @Nullable Sent<ProduceReceipt> sent() {
    return sent;
  }

  /** It is under way; or, with null, it is back and as if it had never left. */
  void sent(@Nullable Sent<ProduceReceipt> question) {
    sent = question;
  }

  /** The outcome of an earlier batch behind which this one is not sent again; null for none. */
  @Nullable UnknownOutcomeException behind() {
    return behind;
  }

  void behind(UnknownOutcomeException unknown) {
    behind = unknown;
  }

  boolean isSettled() {
    return receipt != null || failure != null;
  }

  void settle(ProduceReceipt answer) {
    receipt = answer;
  }

  void settle(MinikafkaException why) {
    failure = why;
  }

  /** Completes when all its callbacks were told, whatever they were told. */
  CompletableFuture<Void> delivered() {
    return delivered;
  }

  /** Tells the callbacks, in the order of the records. Once, when settled, without a lock. */
  void deliver() {
    ByteBuffer entries = builder.version0();
    int at = entries.position();
    int count = builder.count();
    for (int i = 0; i < count; i++) {
      SendCallback callback = callbacks[i];
      if (callback != null) {
        tell(callback, i, Entry.timestamp(entries, at));
      }
      at += Entry.bytes(entries, at);
    }
  }

  /** The builder, to be used again; the batch must not be touched afterwards. */
  BatchBuilder builder() {
    return builder;
  }

  private void tell(SendCallback callback, int index, long timestamp) {
    try {
      if (receipt != null) {
        callback.acknowledged(
            new Ack(
                partition,
                receipt.baseOffset() + index,
                timestamp,
                receipt.appendTime(),
                receipt.durability(),
                receipt.durableOffset()));
      } else if (failure != null) {
        callback.failed(failure);
      }
    } catch (Throwable e) {
      // Whatever it is, it is the application's, and this the client's thread. The other records
      // must hear all the same.
      LOG.log(System.Logger.Level.WARNING, "a send callback for " + partition + " threw", e);
    }
  }
}
