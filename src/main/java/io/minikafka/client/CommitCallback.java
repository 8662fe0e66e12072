package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Map;

/**
 * Hears what became of a {@code commitAsync}. Called on the thread that uses the consumer, inside
 * one of its calls, in the order of the commits.
 */
public interface CommitCallback {
  /** All of it is on stable storage. */
  void committed(Map<TopicPartition, CommittedOffset> offsets);

  /**
   * It is not certain that it was stored; after {@link CommitRefusedException} it is certain that
   * it was not.
   */
  void failed(Map<TopicPartition, CommittedOffset> offsets, MinikafkaException why);
}
