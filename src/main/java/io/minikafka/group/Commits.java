package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The committed offsets of one group. Changes only by {@link Group#apply}. */
final class Commits {
  private final Map<UUID, TreeMap<Integer, CommittedOffset>> byTopic = new HashMap<>();
  private int size;

  Optional<CommittedOffset> of(PartitionId partition) {
    TreeMap<Integer, CommittedOffset> topic = byTopic.get(partition.topicId());
    return topic == null ? Optional.empty() : Optional.ofNullable(topic.get(partition.partition()));
  }

  void put(PartitionId partition, CommittedOffset commit) {
    TreeMap<Integer, CommittedOffset> topic =
        byTopic.computeIfAbsent(partition.topicId(), id -> new TreeMap<>());
    if (topic.put(partition.partition(), commit) == null) {
      size++;
    }
  }

  void remove(PartitionId partition) {
    TreeMap<Integer, CommittedOffset> topic = byTopic.get(partition.topicId());
    if (topic == null || topic.remove(partition.partition()) == null) {
      return;
    }
    size--;
    if (topic.isEmpty()) {
      byTopic.remove(partition.topicId());
    }
  }

  Set<UUID> topics() {
    return Set.copyOf(byTopic.keySet());
  }

  /** The partitions of a topic that have a commit, in order. */
  List<PartitionId> partitionsOf(UUID topic) {
    List<PartitionId> partitions = new ArrayList<>();
    for (int partition : byTopic.getOrDefault(topic, new TreeMap<>()).keySet()) {
      partitions.add(new PartitionId(topic, partition));
    }
    return partitions;
  }

  /** All partitions that have a commit, by topic id and number. */
  List<PartitionId> partitions() {
    List<PartitionId> partitions = new ArrayList<>(size);
    byTopic.keySet().stream().sorted().forEach(topic -> partitions.addAll(partitionsOf(topic)));
    return partitions;
  }

  int size() {
    return size;
  }
}
