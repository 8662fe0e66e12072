package io.minikafka.net;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.broker.Connections;
import io.minikafka.broker.RequestDispatcher;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The data port.
 *
 * <p><b>Life-cycle.</b> {@link #start} once, when everything behind it is ready; {@link #stop}
 * once, everything behind it still works; stopping again waits for the same end.
 *
 * <p><b>Threads.</b> Any. The futures complete on an event loop or a timer's thread.
 *
 * <p><b>Errors.</b> A port that cannot be bound fails {@link #start}. After that nothing a client
 * does harms more than its own connection.
 */
public final class DataServer {
  /** Numbers for free ports that the event loops of one server share. */
  private static final AtomicInteger FREE_PORTS = new AtomicInteger();

  private final Vertx vertx;
  private final NetSettings settings;
  private final NetMemory memory;
  private final RequestDispatcher dispatcher;
  private final Timers timers;
  private final EngineObserver observer;
  private final InstantSource clock;
  private final ConnectionTable table;

  private final List<DataPort> ports = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong connectionIds = new AtomicLong();
  private volatile Optional<String> deployment = Optional.empty();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  /**
   * @param memory also the pool that {@code dispatcher} borrows from
   * @param clock wall clock, for the times at which connections were opened
   */
  public DataServer(
      Vertx vertx,
      NetSettings settings,
      NetMemory memory,
      RequestDispatcher dispatcher,
      Timers timers,
      EngineObserver observer,
      InstantSource clock) {
    this.vertx = vertx;
    this.settings = settings;
    this.memory = memory;
    this.dispatcher = dispatcher;
    this.timers = timers;
    this.observer = observer;
    this.clock = clock;
    this.table = new ConnectionTable(this::connections, settings.maxConnections());
  }

  /**
   * Listens.
   *
   * @return the port
   */
  public CompletableFuture<Integer> start() {
    int port = settings.port() == 0 ? -FREE_PORTS.incrementAndGet() : settings.port();
    return vertx
        .deployVerticle(
            () -> {
              DataPort made = new DataPort(this, port);
              ports.add(made);
              return made;
            },
            new DeploymentOptions().setInstances(settings.eventLoops()))
        .map(
            id -> {
              deployment = Optional.of(id);
              return ports.getFirst().actualPort();
            })
        .toCompletionStage()
        .toCompletableFuture();
  }

  /**
   * Takes nothing new, answers parked fetches, finishes the requests under way, and closes.
   *
   * @param drainTimeoutMs after it what is left is closed as it is
   */
  public CompletableFuture<Void> stop(long drainTimeoutMs) {
    if (!stopping.compareAndSet(false, true)) {
      return stopped.copy();
    }
    CompletableFuture<Void> drained =
        CompletableFuture.allOf(
            ports.stream().map(DataPort::drain).toArray(CompletableFuture<?>[]::new));
    dispatcher.stop();
    Timers.Timer limit =
        timers.after(
            TimeUnit.MILLISECONDS.toNanos(drainTimeoutMs), () -> ports.forEach(DataPort::closeAll));
    drained
        .thenCompose(
            done -> {
              limit.cancel();
              return deployment
                  .map(id -> vertx.undeploy(id).toCompletionStage().toCompletableFuture())
                  .orElseGet(() -> CompletableFuture.completedFuture(null));
            })
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                stopped.complete(null);
              } else {
                stopped.completeExceptionally(failure);
              }
            });
    return stopped.copy();
  }

  /** How many connections are open now. */
  public int connections() {
    return connections.get();
  }

  /** The connections for those who look at them. */
  public Connections openConnections() {
    return table;
  }

  ConnectionTable table() {
    return table;
  }

  InstantSource clock() {
    return clock;
  }

  /** Lets one more connection in, or says why not. */
  Optional<CloseReason> admit() {
    if (stopping.get()) {
      return Optional.of(CloseReason.STOPPING);
    }
    if (connections.incrementAndGet() > settings.maxConnections()) {
      connections.decrementAndGet();
      return Optional.of(CloseReason.TOO_MANY_CONNECTIONS);
    }
    return Optional.empty();
  }

  void left() {
    connections.decrementAndGet();
  }

  long nextConnectionId() {
    return connectionIds.incrementAndGet();
  }

  NetSettings settings() {
    return settings;
  }

  NetMemory memory() {
    return memory;
  }

  RequestDispatcher dispatcher() {
    return dispatcher;
  }

  Timers timers() {
    return timers;
  }

  EngineObserver observer() {
    return observer;
  }
}
