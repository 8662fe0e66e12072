package io.minikafka.broker;

import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicError;
import io.minikafka.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds what an operator names: a partition, a topic or all of them. Any thread. */
final class LogTargets {
  private final Topics topics;

  LogTargets(Topics topics) {
    this.topics = topics;
  }

  /** A partition with its topic. */
  record Target(Topic topic, Partition partition) {
    int number() {
      return partition.id().partition();
    }

    String text() {
      return topic.name() + "-" + number();
    }
  }

  Result<Topic> topic(String name) {
    return topics
        .topic(name)
        .map(Result::done)
        .orElseGet(() -> Result.refused(Refusal.of(TopicError.unknownTopic(name))));
  }

  Result<Target> one(String topic, int partition) {
    return switch (topic(topic)) {
      case Result.Refused<Topic>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<Topic>(Topic found) -> in(found, partition);
    };
  }

  static Result<Target> in(Topic topic, int partition) {
    Optional<Partition> found = topic.partition(partition);
    return found.isPresent()
        ? Result.done(new Target(topic, found.get()))
        : Result.refused(Refusal.of(ErrorCode.UNKNOWN_TOPIC, topic.noPartition(partition)));
  }

  /**
   * @param topic empty for all, the broker's own too
   * @param partition empty for all of the topic
   * @return by topic and number
   */
  Result<List<Target>> some(String topic, OptionalInt partition) {
    if (topic.isEmpty()) {
      return partition.isPresent()
          ? Result.refused(Refusal.invalid("topic", "a partition is named, but no topic"))
          : Result.done(topics.topics().stream().flatMap(each -> of(each).stream()).toList());
    }
    if (partition.isPresent()) {
      return switch (one(topic, partition.getAsInt())) {
        case Result.Refused<Target>(Refusal refusal) -> Result.refused(refusal);
        case Result.Done<Target>(Target target) -> Result.done(List.of(target));
      };
    }
    return switch (topic(topic)) {
      case Result.Refused<Topic>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<Topic>(Topic found) -> Result.done(of(found));
    };
  }

  private static List<Target> of(Topic topic) {
    List<Target> all = new ArrayList<>();
    topic.partitions().forEach(partition -> all.add(new Target(topic, partition)));
    return all;
  }
}
