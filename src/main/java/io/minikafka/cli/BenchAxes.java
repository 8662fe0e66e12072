package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.ClientKind;
import io.minikafka.bench.Experiment;
import io.minikafka.bench.Policy;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The axes of the experiments as options: each a list, and what is not given is the whole axis. */
final class BenchAxes {
  private BenchAxes() {}

  /** Of everything that measures records. */
  static final class Sizes {
    @Option(
        names = "--record-bytes",
        paramLabel = "BYTES",
        split = ",",
        description = "Sizes of the records' values, 1 to 10000000.")
    List<Integer> recordBytes = List.of();
  }

  /** Of what can be measured with either client. */
  static final class Clients {
    @Option(
        names = "--client",
        paramLabel = "api|raw",
        split = ",",
        description = "The Java client, or a plain socket (with frames that were encoded before).")
    List<ClientKind> clients = List.of();
  }

  /** Of everything that sends. */
  static final class Records {
    @Mixin Sizes sizes;

    @Option(
        names = "--batch",
        paramLabel = "RECORDS",
        split = ",",
        description = "Records in a batch, 1 to 1000000; the batch at most 16 MiB.")
    List<Integer> batchRecords = List.of();

    @Option(
        names = "--in-flight",
        paramLabel = "N",
        split = ",",
        description = "Batches of a producer that wait for their answers, 1 to 1000.")
    List<Integer> inFlight = List.of();

    @Option(
        names = "--flush",
        paramLabel = "POLICY",
        split = ",",
        description = "Flush policies of the topics: none, interval, commit.")
    List<Policy> policies = List.of();
  }

  /** Of producers as fast as they can. */
  static final class Producers {
    @Mixin Clients clients;

    @Option(
        names = "--producers",
        paramLabel = "N",
        split = ",",
        description = "Producers side by side, each with its own partition, 1 to 1000.")
    List<Integer> producers = List.of();
  }

  static Axes of(Records records, Producers producers) {
    Axes nothing = Experiment.nothing();
    return new Axes(
        producers.clients.clients,
        records.sizes.recordBytes,
        records.batchRecords,
        nothing.fetchBytes(),
        records.inFlight,
        producers.producers,
        nothing.consumers(),
        false,
        nothing.ratesPerSecond(),
        records.policies);
  }
}
