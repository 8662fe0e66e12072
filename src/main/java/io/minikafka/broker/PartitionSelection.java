package io.minikafka.broker;

import java.util.List;

/**
 * Partitions of one topic, as somebody named them.
 *
 * @param partitions 0-based numbers; empty for all of them
 */
public record PartitionSelection(String topic, List<Integer> partitions) {
  public PartitionSelection {
    partitions = List.copyOf(partitions);
  }
}
