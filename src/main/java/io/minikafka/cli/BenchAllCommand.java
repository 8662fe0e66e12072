package io.minikafka.cli;

import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Everything, each along its whole axes.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench all",
      "  minikafka bench all --quick --out first-look"
    })
final class BenchAllCommand extends BenchRun {
  @Override
  List<Experiment> experiments() {
    return List.of(
        Experiment.FLOOR,
        Experiment.PRODUCE,
        Experiment.CONSUME,
        Experiment.LATENCY,
        Experiment.FLUSH,
        Experiment.SCALING,
        Experiment.IDLE,
        Experiment.PARKED,
        Experiment.TAIL,
        Experiment.START);
  }
}
