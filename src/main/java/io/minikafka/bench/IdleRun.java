package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Busy connections without idle ones and beside them, in alternation; and what an idle one costs
 * the broker's memory. Stateless.
 */
final class IdleRun {
  private static final ProduceShape SHAPE = new ProduceShape(100, 1, 1);
  private static final int PARTITIONS = 10;

  /** Many small requests: a repetition is longer than others, for a ratio that means something. */
  private static final int TIMES_A_REPETITION = 4;

  private static final String CONNECTIONS = "minikafka_connections";

  /** Of so many connections, not only their code is cold. */
  private static final int TIMES_A_WARM_UP = 10;

  private static final int GONE_LIMIT_S = 30;
  private static final int LOOKS_PER_S = 10;
  private static final double KIB = 1024;

  private IdleRun() {}

  /** What is sent over each busy connection. */
  static ProduceShape shape() {
    return SHAPE;
  }

  static List<Row.Builder> measure(
      Point.Idle point,
      Topics topics,
      ClientSettings client,
      Effort effort,
      Target target,
      List<String> idleProcess)
      throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(PARTITIONS, Policy.NONE);
    Limit limit =
        new Limit(TIMES_A_REPETITION * effort.perRep().nanos(), effort.perRep().wireBytes());
    Tally alone = new Tally();
    Tally beside = new Tally();
    OptionalDouble kibPerConnection = OptionalDouble.empty();
    try (Crew crew = new Crew(loads(point, lanes, client), effort.patienceNanos());
        IdleProcess idle = IdleProcess.start(idleProcess, client.server())) {
      if (effort.warmUpNanos() > 0) {
        crew.run(new Limit(TIMES_A_WARM_UP * effort.warmUpNanos(), limit.wireBytes()));
      }
      for (int rep = 0; rep < effort.reps(); rep++) {
        alone.add(crew, target::usage, limit);
        // Of the first time only: memory that was given once is found again the next time.
        OptionalDouble before = rep == 0 ? settled(target) : OptionalDouble.empty();
        OptionalDouble open = target.metric(CONNECTIONS);
        idle.open(point.connections());
        if (before.isPresent()) {
          kibPerConnection = perConnection(before, settled(target), point.connections());
        }
        beside.add(crew, target::usage, limit);
        idle.closeAll();
        awaitGone(target, open);
      }
    }
    topics.remove(lanes);
    return rows(point, alone.throughput(), beside.throughput(), kibPerConnection, target);
  }

  private static List<Load> loads(Point.Idle point, List<Lane> lanes, ClientSettings client)
      throws IOException {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < point.busy(); i++) {
      loads.add(new RawProduce(client.server(), lanes.get(i % lanes.size()), SHAPE));
    }
    return loads;
  }

  private static OptionalDouble settled(Target target) throws IOException, InterruptedException {
    Optional<LinuxProcess> process = target.process();
    return process.isPresent() ? Settled.residentBytes(process.get()) : OptionalDouble.empty();
  }

  private static OptionalDouble perConnection(
      OptionalDouble before, OptionalDouble after, int connections) {
    return after.isPresent()
        ? OptionalDouble.of((after.getAsDouble() - before.getAsDouble()) / KIB / connections)
        : after;
  }

  /** The next repetition without idle connections must have none. */
  private static void awaitGone(Target target, OptionalDouble before)
      throws IOException, InterruptedException {
    for (int i = 0; i < GONE_LIMIT_S * LOOKS_PER_S && before.isPresent(); i++) {
      OptionalDouble open = target.metric(CONNECTIONS);
      if (open.isEmpty() || open.getAsDouble() <= before.getAsDouble()) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(1_000 / LOOKS_PER_S);
    }
    if (before.isPresent()) {
      throw new IOException(
          "the broker still has idle connections after %d s".formatted(GONE_LIMIT_S));
    }
  }

  private static List<Row.Builder> rows(
      Point.Idle point,
      Throughput alone,
      Throughput beside,
      OptionalDouble kibPerConnection,
      Target target) {
    Row.Builder without = point.row().text(Column.VARIANT, "alone");
    alone.fill(without);
    Row.Builder with =
        point
            .row()
            .text(Column.VARIANT, "beside idle connections")
            .count(Column.IDLE_CONNECTIONS, point.connections())
            .measured(Column.KIB_PER_CONNECTION, kibPerConnection);
    beside.fill(with);
    with.measured(
        Column.PEER_RATIO,
        beside.spread(Work::recordsPerSecond).median()
            / alone.spread(Work::recordsPerSecond).median());
    target
        .process()
        .ifPresent(
            process ->
                process
                    .peakResidentBytes()
                    .ifPresent(bytes -> with.measured(Column.BROKER_PEAK_RSS_MB, bytes / 1e6)));
    if (kibPerConnection.isPresent() && !Settled.canCollect()) {
      with.text(Column.NOTE, "memory without a collection: there is no jcmd");
    }
    return List.of(without, with);
  }
}
