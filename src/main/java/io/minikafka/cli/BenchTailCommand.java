package io.minikafka.cli;

import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "How long a record takes to a consumer at the tail, without and beside a reader of old data from"
            + " the disk.",
    footer = {
      "",
      "1,000 records/s beside 50 MB/s. The broker's files are taken out of the page cache for the"
          + " reader, which needs Linux and a broker that is started for the run.",
      "",
      "Examples:",
      "  minikafka bench tail",
      "  minikafka bench tail --data-dir /var/lib/minikafka --latency-time 30s"
    })
final class BenchTailCommand extends BenchRun {

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.TAIL);
  }
}
