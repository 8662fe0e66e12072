package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupEvent.SetOffsets;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicError.FieldError;
import io.minikafka.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A partition that offsets of a group are about.
 *
 * @param wanted the offset that was named for it, if one was
 */
record ChosenPartition(Topic topic, Partition partition, OptionalLong wanted) {
  private static final Comparator<ChosenPartition> ORDER =
      Comparator.comparing((ChosenPartition one) -> one.topic.name())
          .thenComparing(one -> one.id().partition());

  PartitionId id() {
    return partition.id();
  }

  /** As people call it. */
  TopicPartition name() {
    return new TopicPartition(topic.name(), id().partition());
  }

  /** What was named, by topic and number; refused with the place in the request if it is wrong. */
  static Result<List<ChosenPartition>> named(Topics topics, List<PartitionSelection> selections) {
    Gathering gathering = new Gathering(topics);
    for (int i = 0; i < selections.size(); i++) {
      PartitionSelection selection = selections.get(i);
      String field = "partitions[%d]".formatted(i);
      Optional<Topic> topic = gathering.topic(selection.topic(), field + ".topic");
      if (topic.isEmpty()) {
        continue;
      }
      if (selection.partitions().isEmpty()) {
        for (Partition partition : topic.get().partitions()) {
          gathering.add(topic.get(), partition.id().partition(), OptionalLong.empty(), field);
        }
      }
      for (int j = 0; j < selection.partitions().size(); j++) {
        gathering.add(
            topic.get(),
            selection.partitions().get(j),
            OptionalLong.empty(),
            field + ".partitions[%d]".formatted(j));
      }
    }
    return gathering.result();
  }

  /** The same for offsets. */
  static Result<List<ChosenPartition>> at(Topics topics, List<PartitionOffset> offsets) {
    Gathering gathering = new Gathering(topics);
    for (int i = 0; i < offsets.size(); i++) {
      PartitionOffset one = offsets.get(i);
      String field = "offsets.offsets[%d]".formatted(i);
      if (one.offset() < 0) {
        gathering.invalid(field + ".offset", "offset %d is below 0".formatted(one.offset()));
      }
      gathering
          .topic(one.topic(), field + ".topic")
          .ifPresent(
              topic ->
                  gathering.add(
                      topic, one.partition(), OptionalLong.of(one.offset()), field + ".partition"));
    }
    return gathering.result();
  }

  /** Partitions that are committed and those of topics that somebody has subscribed to. */
  static Result<List<ChosenPartition>> used(
      Topics topics, Collection<PartitionId> committed, Collection<String> subscribed) {
    Gathering gathering = new Gathering(topics);
    Set<PartitionId> all = new HashSet<>(committed);
    for (String name : subscribed) {
      topics
          .topic(name)
          .filter(topic -> !topic.isInternal())
          .ifPresent(topic -> topic.partitions().forEach(partition -> all.add(partition.id())));
    }
    for (PartitionId id : all) {
      topics
          .topic(id.topicId())
          .ifPresent(topic -> gathering.add(topic, id.partition(), OptionalLong.empty(), ""));
    }
    return gathering.result();
  }

  /** Takes partitions in, and what is wrong with the request. */
  private static final class Gathering {
    /** More are not told. */
    private static final int MAX_ERRORS = 5;

    private final Topics topics;
    private final List<ChosenPartition> chosen = new ArrayList<>();
    private final Set<PartitionId> seen = new HashSet<>();
    private final List<FieldError> invalid = new ArrayList<>();
    private final List<FieldError> unknown = new ArrayList<>();

    Gathering(Topics topics) {
      this.topics = topics;
    }

    Optional<Topic> topic(String name, String field) {
      Optional<Topic> topic = topics.topic(name);
      if (topic.isEmpty()) {
        unknown(field, "there is no topic '%s'".formatted(GroupAudit.echo(name)));
      } else if (topic.get().isInternal()) {
        invalid(field, "topic '%s' belongs to the broker; no group reads it".formatted(name));
        return Optional.empty();
      }
      return topic;
    }

    void add(Topic topic, int number, OptionalLong wanted, String field) {
      Optional<Partition> partition = topic.partition(number);
      if (partition.isEmpty()) {
        unknown(field, topic.noPartition(number));
      } else if (seen.add(partition.get().id())) {
        chosen.add(new ChosenPartition(topic, partition.get(), wanted));
      } else {
        invalid(field, "%s is named twice".formatted(new TopicPartition(topic.name(), number)));
      }
    }

    void invalid(String field, String message) {
      if (invalid.size() < MAX_ERRORS) {
        invalid.add(new FieldError(field, message));
      }
    }

    private void unknown(String field, String message) {
      if (unknown.size() < MAX_ERRORS) {
        unknown.add(new FieldError(field, message));
      }
    }

    Result<List<ChosenPartition>> result() {
      if (!invalid.isEmpty()) {
        return Result.refused(Refusal.invalid(invalid));
      }
      if (!unknown.isEmpty()) {
        String message = String.join("; ", unknown.stream().map(FieldError::message).toList());
        return Result.refused(
            new Refusal(Refusal.Kind.NOT_FOUND, GroupError.UNKNOWN_TOPIC.name(), message, unknown));
      }
      if (chosen.size() > SetOffsets.MAX_CHANGES) {
        return Result.refused(
            Refusal.of(
                GroupError.LIMIT_REACHED,
                "%d partitions at once; the limit is %d"
                    .formatted(chosen.size(), SetOffsets.MAX_CHANGES)));
      }
      chosen.sort(ORDER);
      return Result.done(List.copyOf(chosen));
    }
  }
}
