package io.minikafka.broker;

import io.minikafka.group.GroupSummary;
import java.util.List;
import java.util.OptionalLong;

/**
 * How far a group has read, at one moment.
 *
 * @param totalRecords sum of the lags that are known
 * @param unknown partitions whose lag is not
 * @param uncommitted those of them that are online and have no commit
 * @param maxMs the longest lag in time; empty if none is known
 * @param partitions those that have a commit, are owned, or belong to a topic that a member has
 *     subscribed to; by topic and number
 */
public record GroupLag(
    GroupSummary summary,
    long totalRecords,
    int unknown,
    int uncommitted,
    OptionalLong maxMs,
    List<PartitionLag> partitions) {

  static GroupLag of(GroupSummary summary, List<PartitionLag> partitions) {
    return new GroupLag(
        summary,
        partitions.stream().mapToLong(one -> one.lagRecords().orElse(0)).sum(),
        (int) partitions.stream().filter(one -> one.lagRecords().isEmpty()).count(),
        (int)
            partitions.stream()
                .filter(one -> one.commit().isEmpty() && one.offline().isEmpty())
                .count(),
        partitions.stream().flatMapToLong(one -> one.lagMs().stream()).max(),
        List.copyOf(partitions));
  }

  /** The same group with some of its partitions. */
  GroupLag part(List<PartitionLag> some) {
    return new GroupLag(summary, totalRecords, unknown, uncommitted, maxMs, List.copyOf(some));
  }
}
