package io.minikafka.cli;

import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "floor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "What the machine does without a broker: frames into a file, a file to a socket, there and"
            + " back, write and fsync.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench floor",
      "  minikafka bench floor --data-dir /var/lib/minikafka"
    })
final class BenchFloorCommand extends BenchRun {
  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.FLOOR);
  }
}
