package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.Comparator;

/**
 * A partition in an answer: from now on it is the member's.
 *
 * @param topic the topic's name, for version 0
 * @param grant the generation at which it was granted: the fencing token of commits
 */
public record GrantedPartition(PartitionId partition, String topic, long grant) {
  /** By topic and number, as an answer names them. */
  static final Comparator<GrantedPartition> ORDER =
      Comparator.comparing(GrantedPartition::topic)
          .thenComparingInt(granted -> granted.partition.partition());
}
