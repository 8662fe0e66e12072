package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "scaling",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "What more producers bring, each with a partition of its own.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench scaling",
      "  minikafka bench scaling --producers 1,2,4,8"
    })
final class BenchScalingCommand extends BenchRun {
  @Mixin BenchAxes.Producers producers;
  @Mixin BenchAxes.Records records;

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.SCALING);
  }

  @Override
  Axes given() {
    return BenchAxes.of(records, producers);
  }
}
