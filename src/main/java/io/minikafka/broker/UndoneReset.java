package io.minikafka.broker;

import java.time.Instant;
import java.util.List;

/**
 * A reset that was undone.
 *
 * @param generation of the group after it
 * @param resetAt when the reset had been made
 * @param partitions the old offset is what the reset had set
 */
public record UndoneReset(long generation, Instant resetAt, List<PartitionReset> partitions) {
  public UndoneReset {
    partitions = List.copyOf(partitions);
  }
}
