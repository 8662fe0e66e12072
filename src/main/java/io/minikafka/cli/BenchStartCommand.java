package io.minikafka.cli;

import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "How long a broker takes from its launch until it is ready, beside another build if there is"
            + " one.",
    footer = {
      "",
      "Five starts of each, in alternation, on empty directories.",
      "",
      "Examples:",
      "  minikafka bench start",
      "  minikafka bench start --peer target/plain"
    })
final class BenchStartCommand extends BenchRun {

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.START);
  }
}
