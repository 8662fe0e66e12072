package io.minikafka.ops;

import io.minikafka.TopicPartition;
import io.minikafka.broker.GroupLag;
import io.minikafka.broker.PartitionLag;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Lags as the broker might tell them. */
final class SomeLag {
  private SomeLag() {}

  /** A group that has committed so many partitions of a topic: number n is n records behind. */
  static GroupLag of(String group, String topic, int partitions) {
    return group(
        group,
        0,
        IntStream.range(0, partitions)
            .mapToObj(
                n ->
                    partition(
                        new TopicPartition(topic, n),
                        OptionalLong.of(n),
                        OptionalLong.of(1500L * n)))
            .toList());
  }

  static GroupLag group(String group, int uncommitted, List<PartitionLag> partitions) {
    return new GroupLag(
        new GroupSummary(
            group, GroupSummary.State.EMPTY, 7, "range", 2, partitions.size() - uncommitted),
        0,
        0,
        uncommitted,
        OptionalLong.empty(),
        partitions);
  }

  static PartitionLag partition(TopicPartition name, OptionalLong records, OptionalLong ms) {
    return partition(name, records, ms, 0);
  }

  static PartitionLag partition(
      TopicPartition name, OptionalLong records, OptionalLong ms, long deletedUnread) {
    return new PartitionLag(
        name,
        "",
        Optional.of(new CommittedOffset(1, 0, 0, "")),
        0,
        1,
        records,
        ms,
        deletedUnread,
        OptionalLong.empty(),
        OptionalLong.empty(),
        "");
  }
}
