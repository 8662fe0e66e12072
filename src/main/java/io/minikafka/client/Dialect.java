package io.minikafka.client;

import io.minikafka.codec.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What this client asks, in words that do not depend on the version of the protocol; one
 * implementation a version. Immutable; any thread; nothing blocks.
 *
 * <p>Futures fail with a {@link MinikafkaException} (perhaps wrapped by the future) and complete on
 * the connection's reader thread.
 */
sealed interface Dialect permits Version0, Version1 {
  int version();

  CompletableFuture<TopicInfo> topic(String name);

  CompletableFuture<List<TopicInfo>> topics();

  CompletableFuture<TopicInfo> createTopic(
      String name, int partitions, boolean validateOnly, Map<String, String> settings);

  /** Why {@link #produce} cannot carry such a batch; empty if it can. */
  Optional<String> objection(ProducerBatch batch);

  Sent<ProduceReceipt> produce(ProducerBatch batch, Durability durability, int timeoutMs);

  /** Answers in the order of the question. */
  CompletableFuture<List<FetchAnswer>> fetch(FetchQuestion question, int timeoutMs);

  /** The offsets asked for, in the order of the questions; −1 where there is none. */
  CompletableFuture<List<Long>> offsets(List<OffsetQuestion> questions);

  /** The same version's words for groups. */
  GroupDialect groups();

  static Bytes inMemory(io.minikafka.codec.Blob blob) {
    if (blob instanceof Bytes bytes) {
      return bytes;
    }
    throw new AssertionError("a decoded blob lies in memory");
  }
}
