package io.minikafka.ops;

import io.minikafka.coordinator.Status;

/** What health answers from. Any thread; never blocks. */
public interface NodeStatus {
  NodeState nodeState();

  /** Partitions that take no appends, because their storage failed or is damaged. */
  int offlinePartitions();

  /** Whether consumer groups are served; loading until the broker has come so far. */
  Status groups();
}
