package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.List;
import java.util.UUID;

/**
 * One long poll over many partitions.
 *
 * @param partitions at least one; the answers come in the same order
 */
record FetchQuestion(int maxWaitMs, int minBytes, int maxBytes, List<Part> partitions) {

  /**
   * @param lastEpoch log epoch of the last batch read; 0 none
   */
  record Part(TopicPartition partition, UUID topicId, long offset, int lastEpoch, int maxBytes) {}
}
