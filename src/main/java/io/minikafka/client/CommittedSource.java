package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where committed offsets are asked for. Nothing blocks. */
interface CommittedSource {
  /** The group, for messages. */
  String group();

  /** What is committed of these; those without a commit are missing. */
  CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      Collection<AssignedPartition> partitions);
}
