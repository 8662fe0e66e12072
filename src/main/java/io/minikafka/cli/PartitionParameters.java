package io.minikafka.cli;

import picocli.CommandLine.Parameters;

/** Which partition a command is about: {@code TOPIC PARTITION}. */
final class PartitionParameters {
  @Parameters(index = "0", paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Parameters(
      index = "1",
      paramLabel = "PARTITION",
      converter = WholeNumber.Partition.class,
      description = "Which partition of it.")
  int partition;
}
