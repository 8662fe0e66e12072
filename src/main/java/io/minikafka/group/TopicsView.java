package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Which topics there are. Immutable; any thread. */
public final class TopicsView {
  /** No topics. */
  public static final TopicsView EMPTY = new TopicsView(List.of());

  private final Map<String, TopicView> byName = new HashMap<>();
  private final Map<UUID, TopicView> byId = new HashMap<>();

  /**
   * A topic.
   *
   * @param internal the broker's own: never assigned to a member, never committed to
   */
  public record TopicView(String name, UUID id, int partitions, boolean internal) {}

  private TopicsView(Collection<TopicView> topics) {
    for (TopicView topic : topics) {
      if (byName.put(topic.name(), topic) != null || byId.put(topic.id(), topic) != null) {
        throw new IllegalArgumentException("two topics " + topic);
      }
    }
  }

  public static TopicsView of(Collection<TopicView> topics) {
    return new TopicsView(topics);
  }

  /** All of them, by name. */
  public List<TopicView> all() {
    return byName.values().stream().sorted(Comparator.comparing(TopicView::name)).toList();
  }

  public Optional<TopicView> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Optional<TopicView> withId(UUID id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Whether members can own the partition and commit to it. */
  public boolean hasPartition(PartitionId partition) {
    TopicView topic = byId.get(partition.topicId());
    return topic != null
        && !topic.internal()
        && partition.partition() >= 0
        && partition.partition() < topic.partitions();
  }

  /** The partition of that name and number; empty if members cannot own it. */
  public Optional<PartitionId> partition(String topic, int partition) {
    return named(topic)
        .map(view -> new PartitionId(view.id(), partition))
        .filter(this::hasPartition);
  }

  /** The partition as people call it; by its id if its topic is gone. */
  String title(PartitionId partition) {
    String name = nameOf(partition);
    return name.isEmpty()
        ? partition.toString()
        : new TopicPartition(name, partition.partition()).toString();
  }

  /** The name behind an id; empty text for a topic that is gone. */
  String nameOf(PartitionId partition) {
    TopicView topic = byId.get(partition.topicId());
    return topic == null ? "" : topic.name();
  }
}
