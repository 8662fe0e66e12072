package io.minikafka.cli;

import io.minikafka.bench.Experiment;
import io.minikafka.bench.IdleConnections;
import io.minikafka.bench.Plan;
import io.minikafka.bench.Point;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "idle",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "What idle connections cost: the rate of busy ones beside them, the broker's memory, and its CPU"
            + " while fetches wait.",
    footer = {
      "",
      "The idle connections are held by another process; no more of them than it may have files"
          + " open, less 1,000.",
      "",
      "Examples:",
      "  minikafka bench idle",
      "  minikafka bench idle --connections 5000 --busy 10"
    })
final class BenchIdleCommand extends BenchRun {
  private static final int MAX_CONNECTIONS = 1_000_000;
  private static final int MAX_BUSY = 1_000;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Idle connections, 1 to 1000000 (10000).")
  @Nullable Integer connections;

  @Option(
      names = "--busy",
      paramLabel = "N",
      description = "Busy ones, each with a record at a time, 1 to 1000 (100).")
  @Nullable Integer busy;

  @Override
  List<Experiment> experiments() {
    return List.of(Experiment.IDLE, Experiment.PARKED);
  }

  @Override
  Plan plan(Experiment experiment) {
    Plan usual = super.plan(experiment);
    boolean isAsked = connections != null || busy != null;
    return isAsked && usual.points().getFirst() instanceof Point.Idle idle
        ? Plan.of(
            new Point.Idle(
                IdleConnections.most(
                    within("--connections", connections, idle.connections(), MAX_CONNECTIONS)),
                within("--busy", busy, idle.busy(), MAX_BUSY)))
        : usual;
  }

  private static int within(String option, @Nullable Integer value, int otherwise, int most) {
    int given = value == null ? otherwise : value;
    if (given < 1 || given > most) {
      throw new IllegalArgumentException(
          "%s is %d, must be 1 to %d".formatted(option, given, most));
    }
    return given;
  }
}
