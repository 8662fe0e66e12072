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
    description = "How many records a second go in: by record size, batch and batches in flight.")
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
