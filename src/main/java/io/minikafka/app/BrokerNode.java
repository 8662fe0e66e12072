package io.minikafka.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.admin.BrokerAccess;
import io.minikafka.broker.HttpUse;
import io.minikafka.coordinator.Status;
import io.minikafka.net.HttpBounds;
import io.minikafka.ops.NodeState;
import io.minikafka.ops.NodeStatus;
import io.minikafka.storage.LocalDisk;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The broker as the container sees it: starts and stops the {@link Engine}, and answers for it.
 *
 * <p><b>Life-cycle.</b> HTTP opens when the container has started this, which sets its bounds
 * first, and closes after it has stopped: recovery runs on a thread of its own, so health and
 * metrics answer during it and while draining.
 *
 * <p><b>Errors.</b> What keeps the broker from starting, or from going on, ends the process with
 * one line; see {@link Ending}.
 */
@ApplicationScoped
public class BrokerNode implements NodeStatus, BrokerAccess {
  private static final System.Logger LOG = System.getLogger(BrokerNode.class.getName());

  private final BrokerSettings settings;
  private final MeterRegistry registry;
  private final Vertx vertx;
  private final HttpServer http;
  private final String version;

  /** Whether the HTTP port could be opened; else the process ends with an error of its own. */
  private volatile boolean httpOpened;

  /** Present from the start on. */
  private volatile Optional<Engine> engine = Optional.empty();

  BrokerNode(
      BrokerSettings settings,
      MeterRegistry registry,
      Vertx vertx,
      HttpServer http,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.settings = settings;
    this.registry = registry;
    this.vertx = vertx;
    this.http = http;
    this.version = version;
  }

  void start(@Observes StartupEvent event) {
    List<String> violations = SettingBounds.violations(settings);
    if (!violations.isEmpty()) {
      throw new StartRefused(String.join("; ", violations));
    }
    Descriptors.error(settings)
        .ifPresent(
            error -> {
              throw new StartRefused(error);
            });
    UnreadVariables.warnings(System.getenv()).forEach(line -> LOG.log(Level.WARNING, line));
    Engine made =
        new Engine(
            settings,
            new Assembly.Around(
                version,
                vertx,
                new LocalDisk(),
                registry,
                ChangedSettings.of(ConfigProvider.getConfig().unwrap(SmallRyeConfig.class))),
            this::storageFailed);
    engine = Optional.of(made);
    HttpBounds.set(made.httpConnections());
    NodeThreads.daemon("minikafka-node", () -> run(made)).start();
  }

  void httpOpened(@ObservesAsync HttpServerStart event) {
    httpOpened = true;
  }

  private void run(Engine made) {
    try {
      if (made.start()) {
        announce(made);
      }
    } catch (StartRefused e) {
      LOG.log(Level.DEBUG, "the start was refused", e);
      Ending.because(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "the start failed", e);
      Ending.because("the start failed: " + e);
    }
  }

  // The line is what a person, or the script that started the broker, waits for.
  @SuppressWarnings("SystemOut")
  private void announce(Engine made) {
    System.out.println(
        new StartLine(
            version,
            made.port(),
            http.getPort(),
            settings.dataDir().toAbsolutePath().normalize(),
            settings.log().flushPolicy().text(),
            made.recovery().orElseThrow(),
            made.groups()));
  }

  private void storageFailed(String reason) {
    LOG.log(Level.ERROR, "the storage failed: {0}", reason);
    Ending.because(
        ("the storage of %s failed: %s. What was acknowledged is safe; what the disk holds of the"
                + " rest is unknown until the next start. Check the disk, then start again")
            .formatted(settings.dataDir().toAbsolutePath().normalize(), reason));
  }

  /** While HTTP still answers. */
  void drain(@Observes ShutdownDelayInitiatedEvent event) {
    engine.ifPresent(Engine::stop);
  }

  @SuppressWarnings("SystemOut") // Where the start line went.
  void stop(@Observes ShutdownEvent event) {
    engine.ifPresent(Engine::stop);
    if (httpOpened && Ending.reason().isEmpty()) {
      engine.ifPresent(
          stopped ->
              System.out.println(
                  new StopLine(
                      version,
                      settings.dataDir().toAbsolutePath().normalize(),
                      stopped.hasEndedClean())));
    }
  }

  @Override
  public Optional<HttpUse> http() {
    return engine.map(Engine::httpUse);
  }

  @Override
  public NodeState nodeState() {
    return engine.map(Engine::state).orElseGet(NodeState.Starting::new);
  }

  @Override
  public int offlinePartitions() {
    return engine.map(Engine::offlinePartitions).orElse(0);
  }

  @Override
  public Status groups() {
    return engine.map(Engine::groups).orElseGet(Status.Loading::new);
  }

  @Override
  public State state() {
    return switch (nodeState()) {
      case NodeState.Starting s -> new State.Unavailable(Why.STARTING, "the broker is starting");
      case NodeState.Recovering(int opened, int total) ->
          new State.Unavailable(
              Why.STARTING,
              "the broker is recovering: %d of %d partitions are open".formatted(opened, total));
      case NodeState.Serving s -> new State.Serving(engine.flatMap(Engine::controls).orElseThrow());
      case NodeState.Draining d ->
          new State.Unavailable(Why.SHUTTING_DOWN, "the broker is stopping");
      case NodeState.Stopped s ->
          new State.Unavailable(Why.SHUTTING_DOWN, "the broker has stopped");
      case NodeState.Failed(String reason) ->
          new State.Unavailable(Why.STORAGE_FAILED, "the broker's storage failed: " + reason);
    };
  }
}
