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
import java.util.function.BiConsumer;

/**
 * What one group has of each partition: its committed offsets, or what its last reset did. Changes
 * only by {@link Group#apply}.
 */
final class ByPartition<T> {
  private final Map<UUID, TreeMap<Integer, T>> byTopic = new HashMap<>();
  private int size;

  Optional<T> of(PartitionId partition) {
    TreeMap<Integer, T> topic = byTopic.get(partition.topicId());
    return topic == null ? Optional.empty() : Optional.ofNullable(topic.get(partition.partition()));
  }

  void put(PartitionId partition, T value) {
    TreeMap<Integer, T> topic = byTopic.computeIfAbsent(partition.topicId(), id -> new TreeMap<>());
    if (topic.put(partition.partition(), value) == null) {
      size++;
    }
  }

  void remove(PartitionId partition) {
    TreeMap<Integer, T> topic = byTopic.get(partition.topicId());
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

  /** The partitions of a topic that there are, in order. */
  List<PartitionId> partitionsOf(UUID topic) {
    List<PartitionId> partitions = new ArrayList<>();
    for (int partition : byTopic.getOrDefault(topic, new TreeMap<>()).keySet()) {
      partitions.add(new PartitionId(topic, partition));
    }
    return partitions;
  }

  /** All partitions that there are, by topic id and number. */
  List<PartitionId> partitions() {
    List<PartitionId> partitions = new ArrayList<>(size);
    byTopic.keySet().stream().sorted().forEach(topic -> partitions.addAll(partitionsOf(topic)));
    return partitions;
  }

  void forEach(BiConsumer<PartitionId, T> action) {
    partitions().forEach(partition -> action.accept(partition, of(partition).orElseThrow()));
  }

  int size() {
    return size;
  }
}
