package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "flush",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "What durability costs: each batch under each flush policy.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench flush",
      "  minikafka bench flush --producers 1,16 --batch 1"
    })
final class BenchFlushCommand extends BenchRun {
  @Mixin BenchAxes.Producers producers;
  @Mixin BenchAxes.Records records;

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.FLUSH);
  }

  @Override
  Axes given() {
    return BenchAxes.of(records, producers);
  }
}
