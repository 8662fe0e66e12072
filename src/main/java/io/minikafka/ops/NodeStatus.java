package io.minikafka.ops;

/** What health answers from. Any thread; never blocks. */
public interface NodeStatus {
  NodeState nodeState();

  /** Partitions that take no appends, because their storage failed or is damaged. */
  int offlinePartitions();
}
