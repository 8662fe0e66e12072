package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "latency",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "How long a record takes from a fixed schedule to a consumer.",
    footer = {
      "",
      "Without --rate, --batch, --in-flight and --flush: the six combinations of"
          + " docs/BENCHMARKS.md. With any of them: every combination of what is given.",
      "",
      "Examples:",
      "  minikafka bench latency",
      "  minikafka bench latency --rate 1000,10000 --flush commit"
    })
final class BenchLatencyCommand extends BenchRun {
  @Option(
      names = "--rate",
      paramLabel = "RECORDS",
      split = ",",
      description = "Records a second, 1 to 1000000.")
  List<Integer> ratesPerSecond = List.of();

  @Mixin BenchAxes.Records records;

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.LATENCY);
  }

  @Override
  Axes given() {
    Axes nothing = Experiment.nothing();
    return new Axes(
        nothing.clients(),
        records.sizes.recordBytes,
        records.batchRecords,
        nothing.fetchBytes(),
        records.inFlight,
        nothing.producers(),
        nothing.consumers(),
        false,
        ratesPerSecond,
        records.policies);
  }
}
