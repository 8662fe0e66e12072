package io.minikafka.broker;

import java.time.Instant;
import java.util.List;

/**
 * A reset that was undone.
 *
 * @param generation of the group after it
 * @param resetAt when the reset had been made
 * @param partitions the old offset is what the reset had set
 * @param groupGone whether nothing of the group is left
 */
public record UndoneReset(
    long generation, Instant resetAt, List<PartitionReset> partitions, boolean groupGone) {
  public UndoneReset {
    partitions = List.copyOf(partitions);
  }
}
