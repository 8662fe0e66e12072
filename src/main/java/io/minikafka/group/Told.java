package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a version 0 member was told by its last join answer, and whether it is known to have
 * arrived. Its heartbeats do not say what it holds; so nothing new is granted before the last
 * answer was confirmed, and an answer that may be lost makes it join again.
 */
final class Told {
  /** The group's, at the answer. */
  final long generation;

  /** Where the answer went. */
  final long connection;

  /** What it named, with the grants. */
  final Map<PartitionId, Long> grants = new HashMap<>();

  /**
   * The same by name: a topic that was created again has another id, which version 0 never sees.
   */
  final Map<TopicPartition, PartitionId> names = new HashMap<>();

  /** A later request shows that the member acts on the answer. */
  boolean confirmed;

  /** The same, on the answer's own connection: it has arrived, whatever happens to that later. */
  boolean arrived;

  Told(long generation, long connection, List<GrantedPartition> partitions) {
    this.generation = generation;
    this.connection = connection;
    for (GrantedPartition granted : partitions) {
      grants.put(granted.partition(), granted.grant());
      names.put(
          new TopicPartition(granted.topic(), granted.partition().partition()),
          granted.partition());
    }
  }

  void confirm(long onConnection) {
    confirmed = true;
    arrived |= onConnection == connection;
  }
}
