package io.minikafka.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** Which partitions a command is about: {@code [TOPIC [PARTITION]]}, all if nothing is said. */
final class PartitionsParameters {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TOPIC",
      description = "Which topic (all of them).")
  @Nullable String topic;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PARTITION",
      converter = WholeNumber.Partition.class,
      description = "Which partition of it (all of them).")
  @Nullable Integer partition;

  /** As requests have it: empty for all. */
  String topic() {
    return topic == null ? "" : topic;
  }
}
