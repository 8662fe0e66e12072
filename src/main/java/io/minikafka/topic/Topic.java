package io.minikafka.topic;

import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A topic as it was when it was looked up; a change makes another one over the same partitions.
 * Immutable; who keeps one may hold a topic that was deleted since, whose partitions then refuse
 * appends.
 *
 * @param entry what the catalog says
 * @param settings what is in force: the topic's own over the broker's defaults
 * @param partitions open ones, by number
 */
public record Topic(TopicEntry entry, PartitionSettings settings, List<Partition> partitions) {
  public Topic {
    partitions = List.copyOf(partitions);
  }

  public String name() {
    return entry.name();
  }

  public UUID id() {
    return entry.id();
  }

  public boolean isInternal() {
    return entry.isInternal();
  }

  /**
   * @param number as it came over the wire; a negative one names nothing
   */
  public Optional<Partition> partition(int number) {
    return number >= 0 && number < partitions.size()
        ? Optional.of(partitions.get(number))
        : Optional.empty();
  }

  /** What is told of a number for which {@link #partition} has none. */
  public String noPartition(long number) {
    return "topic '%s' has no partition %d; there are 0 … %d"
        .formatted(name(), number, partitions.size() - 1);
  }
}
