package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "How many records a second go in: by record size, batch and batches in flight.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench produce",
      "  minikafka bench produce --record-bytes 100 --batch 1,1000 --in-flight 5 --client raw"
    })
final class BenchProduceCommand extends BenchRun {
  @Mixin BenchAxes.Producers producers;
  @Mixin BenchAxes.Records records;

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.PRODUCE);
  }

  @Override
  Axes given() {
    return BenchAxes.of(records, producers);
  }
}
