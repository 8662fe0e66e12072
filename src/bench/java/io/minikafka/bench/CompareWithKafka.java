package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts both brokers, compares them, writes the settings of both beside the rows. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "minikafka beside Apache Kafka on this machine; docs/BENCHMARKS.md says how.")
final class CompareWithKafka implements Callable<Integer> {
  private static final long BYTES_PER_REP = 512_000_000;
  private static final long QUICK_BYTES_PER_REP = 8_000_000;

  /** What is listed does not depend on the address. */
  private static final ClientSettings ANYWHERE =
      ClientSettings.of(new ServerAddress("localhost", 9092));

  @Option(names = "--out", description = "Where the rows go (bench-results).")
  Path out = Path.of("bench-results");

  @Option(names = "--program", description = "The packaged program (target/minikafka).")
  Path program = Path.of("target/minikafka");

  @Option(names = "--quick", description = "A moment of each: to see that it works.")
  boolean quick;

  private CompareWithKafka() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new CompareWithKafka()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Files.createDirectories(out);
    InstantSource clock = InstantSource.system();
    String run = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    Effort effort = quick ? effort(1, 50, 20, 300, QUICK_BYTES_PER_REP) : full();
    Path home = program.toAbsolutePath().getParent();
    Conditions conditions = Conditions.of(run, effort, Revision.at(home == null ? out : home));
    Files.write(out.resolve("compare-settings.md"), settings());
    try (RowFile rows = RowFile.open(out);
        OurSide ours = OurSide.start(program.toAbsolutePath(), out, out.resolve("broker.log"));
        KafkaSide kafka = KafkaSide.start(out, out.resolve("kafka.log"))) {
      Floors floors = new Floors(out, effort);
      new Comparison(effort, conditions, clock, rows, floors, ours, kafka).run();
    }
    System.err.println("rows of run %s: %s".formatted(run, out.resolve("rows.csv")));
    return 0;
  }

  private static Effort full() {
    return effort(5, 1_000, 2_000, 5_000, BYTES_PER_REP);
  }

  private static Effort effort(int reps, int timeMs, int warmUpMs, int latencyMs, long bytes) {
    return Effort.of(
        reps,
        Duration.ofMillis(timeMs).toNanos(),
        Duration.ofMillis(warmUpMs).toNanos(),
        Duration.ofMillis(latencyMs).toNanos(),
        bytes);
  }

  /** All that differs from the defaults of either. */
  static List<String> settings() {
    List<String> lines = new ArrayList<>();
    lines.add("# Settings of the comparison");
    lines.add("");
    lines.add(
        "Kafka, node: `"
            + String.join(" ", KafkaNode.JAVA_OPTIONS)
            + "`, `"
            + String.join("`, `", KafkaNode.settings())
            + "`.");
    lines.add("");
    for (Point point : Comparison.points()) {
      lines.add("- " + point.inWords());
      switch (point) {
        case Point.Produce produce -> {
          lines.add("  - Kafka, topic: " + KafkaClients.topicSettings(produce.policy()));
          lines.add(
              "  - Kafka, producer: "
                  + KafkaClients.producerSettings(
                      produce.shape(),
                      KafkaProduce.lingerMs(produce.shape()),
                      ApiProduce.bufferedBytes(produce.shape())));
          lines.add("  - minikafka, topic: flush.policy=" + produce.policy().title());
          lines.add("  - minikafka, producer: " + ApiProduce.settings(ANYWHERE, produce.shape()));
        }
        case Point.Consume consume -> {
          lines.add("  - Kafka, consumer: " + KafkaClients.consumerSettings(consume.fetchBytes()));
          lines.add(
              "  - minikafka, consumer: fetchMaxBytes=partitionMaxBytes=" + consume.fetchBytes());
        }
        case Point.Latency latency -> {
          lines.add("  - Kafka, producer: " + KafkaClients.pipeSettings(latency.shape()));
          lines.add("  - minikafka, topic: flush.policy=" + latency.policy().title());
          lines.add("  - minikafka, producer: " + OurSide.pipeSettings(ANYWHERE, latency.shape()));
        }
        case Point.Floor _, Point.Idle _, Point.Parked _, Point.Tail _, Point.Start _ ->
            throw new AssertionError(point);
      }
    }
    return lines;
  }
}
