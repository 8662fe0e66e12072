package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Experiment;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "How many records a second come out, checksums checked: by record size and fetch size.",
    footer = {
      "",
      "One consumer is measured at every fetch size; several, and a group of as many, at 1 MiB"
          + " only, or at the last of --fetch-bytes.",
      "",
      "Examples:",
      "  minikafka bench consume",
      "  minikafka bench consume --record-bytes 100 --consumers 1,4"
    })
final class BenchConsumeCommand extends BenchRun {
  @Mixin BenchAxes.Clients clients;
  @Mixin BenchAxes.Sizes sizes;

  @Option(
      names = "--fetch-bytes",
      paramLabel = "BYTES",
      split = ",",
      description = "What one fetch asks for, 1024 to 16777216.")
  List<Integer> fetchBytes = List.of();

  @Option(
      names = "--consumers",
      paramLabel = "N",
      split = ",",
      description = "Consumers side by side, each with its own partition, 1 to 1000.")
  List<Integer> consumers = List.of();

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.CONSUME);
  }

  @Override
  Axes given() {
    Axes nothing = Experiment.nothing();
    return new Axes(
        clients.clients,
        sizes.recordBytes,
        nothing.batchRecords(),
        fetchBytes,
        nothing.inFlight(),
        nothing.producers(),
        consumers,
        false,
        nothing.ratesPerSecond(),
        nothing.policies());
  }
}
