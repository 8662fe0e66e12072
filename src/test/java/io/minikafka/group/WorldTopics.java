package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.TopicsView.TopicView;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Two topics of a random life: {@code a} stays and grows, {@code b} comes and goes. */
final class WorldTopics {
  private final Random random;
  private final Map<String, TopicView> topics = new LinkedHashMap<>();
  private TopicView growing;
  private long ids;

  WorldTopics(Random random) {
    this.random = random;
    growing = create("a", 1 + random.nextInt(6));
    create("b", 1 + random.nextInt(4));
  }

  TopicsView view() {
    return TopicsView.of(topics.values());
  }

  Collection<TopicView> all() {
    return topics.values();
  }

  /** One of the topic that stays. */
  PartitionId somePartition() {
    return new PartitionId(growing.id(), random.nextInt(growing.partitions()));
  }

  private TopicView create(String name, int partitions) {
    TopicView topic = new TopicView(name, new UUID(7, ++ids), partitions, false);
    topics.put(name, topic);
    return topic;
  }

  /** Grows the one, or creates or deletes the other; returns the partitions that went, by name. */
  Set<TopicPartition> change() {
    TopicView b = topics.get("b");
    int dice = random.nextInt(4);
    if (dice == 0) {
      int partitions = Math.min(8, growing.partitions() + 1 + random.nextInt(2));
      growing = new TopicView("a", growing.id(), partitions, false);
      topics.put("a", growing);
      return Set.of();
    }
    if (b == null) {
      create("b", 1 + random.nextInt(4));
      return Set.of();
    }
    Set<TopicPartition> gone = new HashSet<>();
    for (int i = 0; i < b.partitions(); i++) {
      gone.add(new TopicPartition("b", i));
    }
    topics.remove("b");
    if (dice == 1) {
      create("b", 1 + random.nextInt(4));
    }
    return gone;
  }
}
