package io.minikafka.broker;

import java.util.List;

/**
 * A plan that was carried out.
 *
 * @param generation of the group after it
 */
public record AppliedReset(String group, long generation, List<PartitionReset> partitions) {
  public AppliedReset {
    partitions = List.copyOf(partitions);
  }

  /** How many partitions have another offset now. */
  public int changed() {
    return (int) partitions.stream().filter(PartitionReset::isChange).count();
  }
}
