package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupEvent.OffsetChange;
import io.minikafka.group.GroupSummary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a reset would do.
 *
 * @param token to apply it with
 * @param expiresAt until when it can be applied
 * @param generation of the group when it was made; 0 if there was none
 * @param members ids of the group's members then
 * @param partitions by topic and number; also those that stay as they are
 * @param changes what is to be set; expects what was committed then
 * @param topics names of the topics of the changes, also when they are gone
 * @param warnings what to know of the whole
 */
public record OffsetPlan(
    String token,
    Instant expiresAt,
    String group,
    GroupSummary.State state,
    long generation,
    List<String> members,
    List<PartitionReset> partitions,
    List<OffsetChange> changes,
    Map<UUID, String> topics,
    List<String> warnings) {
  public OffsetPlan {
    members = List.copyOf(members);
    partitions = List.copyOf(partitions);
    changes = List.copyOf(changes);
    topics = Map.copyOf(topics);
    warnings = List.copyOf(warnings);
  }

  /** A partition that is to be set, as people call it. */
  TopicPartition name(PartitionId id) {
    return new TopicPartition(
        topics.getOrDefault(id.topicId(), id.topicId().toString()), id.partition());
  }
}
