package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far a group has come, and who is in it. Immutable.
 *
 * @param members ids of all that a reset would need force for, in order
 * @param topics names that its members have subscribed to
 * @param commits by partition
 */
public record GroupPositions(
    GroupSummary summary,
    List<String> members,
    Set<String> topics,
    Map<PartitionId, CommittedOffset> commits) {
  public GroupPositions {
    members = List.copyOf(members);
    topics = Set.copyOf(topics);
    commits = Collections.unmodifiableMap(new LinkedHashMap<>(commits));
  }
}
