package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a command that does not follow stops: where the partitions ended when it began, so that a
 * busy topic cannot keep it going.
 *
 * @param ends by partition; those that came later have none, and are not read
 * @param follow whether there is no end
 */
record Ends(Map<TopicPartition, Long> ends, boolean follow) {

  static Ends none() {
    return new Ends(Map.of(), true);
  }

  static Ends of(Consumer consumer, Collection<TopicPartition> partitions) {
    return new Ends(new LinkedHashMap<>(consumer.endOffsets(partitions)), false);
  }

  boolean wants(ConsumerRecord record) {
    return follow || record.offset() < ends.getOrDefault(record.source(), 0L);
  }

  /** Whether the partition was read up to this offset, which is the next to read. */
  boolean isReached(TopicPartition partition, long offset) {
    return !follow && offset >= ends.getOrDefault(partition, 0L);
  }
}
