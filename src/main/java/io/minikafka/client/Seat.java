package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import java.util.UUID;

/**
 * A partition that is a member's, and the grant by which it is. The same partition under another
 * grant is another seat: in between it was not this member's, or its committed offset was reset.
 *
 * @param topicId all zeros in version 0
 * @param grant 0 in version 0, which has none
 */
record Seat(TopicPartition partition, UUID topicId, long grant) {
  PartitionId id() {
    return new PartitionId(topicId, partition.partition());
  }
}
