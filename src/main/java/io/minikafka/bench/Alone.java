package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Points that want a broker to themselves: one that is started for the point, with the settings it
 * needs, and ended behind it. If the broker of the run was named by the one who runs it, they are
 * measured on that. One thread.
 */
final class Alone {
  /** Room for what is neither idle nor busy. */
  private static final int MORE_CONNECTIONS = 100;

  /** Less than is read of old data before it is read again: none of it counts as cached. */
  private static final long HOT_BYTES = 4 << 20;

  private final Effort effort;
  private final InstantSource clock;
  private final Bench.Output output;
  private final Optional<Target> named;
  private final Optional<Programs> programs;

  /**
   * @param target the broker of the run
   */
  Alone(
      Effort effort,
      InstantSource clock,
      Bench.Output output,
      Optional<Target> target,
      Optional<Programs> programs) {
    this.effort = effort;
    this.clock = clock;
    this.output = output;
    this.named = target.filter(broker -> broker.own().isEmpty());
    this.programs = programs;
  }

  /** Measures on one broker. */
  private interface Measuring {
    List<Row> on(Target target, Topics topics, ClientSettings client)
        throws IOException, InterruptedException;
  }

  List<Row> idle(Point.Idle point) throws IOException, InterruptedException {
    List<String> settings =
        List.of(
            "minikafka.net.max-connections="
                + (point.connections() + point.busy() + MORE_CONNECTIONS),
            "minikafka.net.connection-descriptors-percent=90",
            "minikafka.http.max-connections=16",
            "minikafka.storage.open-sealed-segments=64");
    List<String> idleProcess = programs().idleProcess();
    return measured(
        settings,
        (target, topics, client) ->
            Bench.built(IdleRun.measure(point, topics, client, effort, target, idleProcess)));
  }

  List<Row> parked(Point.Parked point) throws IOException, InterruptedException {
    return measured(
        List.of(),
        (target, topics, client) -> Bench.built(ParkedRun.measure(point, topics, effort, target)));
  }

  List<Row> tail(Point.Tail point) throws IOException, InterruptedException {
    return measured(
        List.of("minikafka.storage.hot-bytes=" + HOT_BYTES),
        (target, topics, client) -> {
          TailRun.Result result = new TailRun(topics, client, effort, target).measure(point);
          output.samples("tail-alone-scheduled", result.aloneSamples().scheduled());
          output.samples("tail-beside-scheduled", result.besideSamples().scheduled());
          return Bench.built(List.of(result.alone(), result.beside()));
        });
  }

  private List<Row> measured(List<String> settings, Measuring measuring)
      throws IOException, InterruptedException {
    if (named.isPresent()) {
      return on(named.get(), measuring);
    }
    try (OwnBroker own = programs().start(settings)) {
      return on(programs().target(own), measuring);
    }
  }

  private List<Row> on(Target target, Measuring measuring)
      throws IOException, InterruptedException {
    ClientSettings client =
        ClientSettings.builder(target.data()).clientName("minikafka-bench").build();
    Topics topics = new Topics(target, client, "bench-" + clock.millis());
    WarmStart.run(topics, client, effort, target);
    return measuring.on(target, topics, client);
  }

  private Programs programs() {
    return programs.orElseThrow(
        () -> new IllegalStateException("this point needs a program to start"));
  }
}
