package io.minikafka.app;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.app.Tally.Recovery;
import io.minikafka.broker.BrokerIdentity;
import io.minikafka.broker.ParkedFetches;
import io.minikafka.broker.RequestDispatcher;
import io.minikafka.broker.TopicAdministration;
import io.minikafka.log.LogDirectory;
import io.minikafka.net.DataServer;
import io.minikafka.net.NetMemory;
import io.minikafka.ops.EngineGauges;
import io.minikafka.ops.EventLog;
import io.minikafka.ops.MetricsObserver;
import io.minikafka.ops.NodeState;
import io.minikafka.ops.PartitionMeters;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.Metadata;
import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.Disk;
import io.minikafka.topic.Topics;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The broker without the framework around it: builds its objects in order, and takes them down in
 * the opposite order.
 *
 * <p><b>Life-cycle.</b> {@link #start} once, {@link #stop} as often as anybody likes, also while
 * starting; a start that fails takes down what it built.
 *
 * <p><b>Threads.</b> Start and stop block: one thread each. All else: any, never blocks.
 *
 * <p><b>Bounds.</b> Stopping takes at most the delay, the drain time-out and the flush time-out of
 * the settings, and {@link #GRACE_MS}. What is not forced by then is left to the next start.
 */
final class Engine {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  /** For what a time-out sets off to be done. */
  private static final long GRACE_MS = 2_000;

  // Constant after construction.
  private final BrokerSettings settings;
  private final String version;
  private final Vertx vertx;
  private final Disk disk;
  private final MeterRegistry registry;
  private final Consumer<String> fatal;
  private final NodeThreads threads;
  private final Observers observers;
  private final PartitionMeters partitionMeters;
  private final ParkedFetches parkedFetches;
  private final NetMemory memory;
  private final CountDownLatch startEnded = new CountDownLatch(1);

  // Written only by start, in this order.
  private volatile Optional<LogDirectory> logs = Optional.empty();
  private volatile Optional<Topics> topics = Optional.empty();
  private volatile Optional<TopicAdministration> administration = Optional.empty();
  private volatile Optional<Recovery> recovery = Optional.empty();
  private volatile Optional<DataServer> server = Optional.empty();
  private volatile int port;

  /** Moves forward only, by {@link #enter}. */
  private volatile Phase phase = Phase.STARTING;

  /** Why the storage can no longer be trusted; set once. */
  private volatile Optional<String> failure = Optional.empty();

  /** Guarded by this. */
  private boolean takenDown;

  private enum Phase {
    STARTING,
    RECOVERING,
    SERVING,
    DRAINING,
    STOPPED
  }

  /**
   * @param fatal told once, on any thread, why the process must end
   */
  Engine(
      BrokerSettings settings,
      String version,
      Vertx vertx,
      Disk disk,
      MeterRegistry registry,
      Consumer<String> fatal) {
    this.settings = settings;
    this.version = version;
    this.vertx = vertx;
    this.disk = disk;
    this.registry = registry;
    this.fatal = fatal;
    this.threads = new NodeThreads(settings.storage().workers(), settings.storage().forcers());
    this.observers = new Observers(new MetricsObserver(registry), new EventLog(), new Tally());
    this.partitionMeters = new PartitionMeters(registry, settings.metrics().maxPartitions());
    this.parkedFetches = new ParkedFetches(settings.net().maxParkedFetches());
    this.memory = new NetMemory(settings.net().totalInFlightBytes());
  }

  /**
   * Brings back what is in the data directory and then opens the data port.
   *
   * @return whether it serves; not if it was stopped meanwhile
   * @throws StartRefused one line for the operator
   */
  boolean start() {
    try {
      boolean serves = bringUp();
      if (!serves) {
        takeDown();
      }
      return serves;
    } catch (RuntimeException | Error e) {
      takeDown();
      throw e;
    } finally {
      startEnded.countDown();
    }
  }

  private boolean bringUp() {
    Path directory = settings.dataDir().toAbsolutePath().normalize();
    DataDirectory.prepare(disk, directory);
    LogDirectory opened = openLogs(directory);
    logs = Optional.of(opened);
    Topics made = makeTopics(opened);
    topics = Optional.of(made);
    gauges(directory, opened).register(registry, made::topics);
    return enter(Phase.RECOVERING) && recover(made) && openPort(made) && enter(Phase.SERVING);
  }

  private LogDirectory openLogs(Path directory) {
    try {
      return LogDirectory.open(
          directory,
          EngineSettings.directory(settings),
          new LogDirectory.Surroundings(
              disk,
              InstantSource.system(),
              threads.timers(),
              threads.worker(),
              threads.forcer(),
              observers,
              this::storageFailed));
    } catch (AlreadyLockedException e) {
      throw new StartRefused(
          ("the data directory %s is in use: %s; stop the other broker, or choose another directory"
                  + " with --data-dir")
              .formatted(directory, e.getMessage()),
          e);
    } catch (IOException e) {
      throw DataDirectory.refused(directory, e);
    }
  }

  private Topics makeTopics(LogDirectory opened) {
    return new Topics(
        opened,
        TopicDefaults.of(settings.log()),
        new Partition.Surroundings(
            InstantSource.system(), threads.timers()::nanoTime, threads.worker(), observers),
        UUID::randomUUID,
        settings.storage().parallelRecoveries(),
        new TopicEvents(parkedFetches, partitionMeters));
  }

  private EngineGauges gauges(Path directory, LogDirectory opened) {
    return new EngineGauges(
        directory.toString(),
        () -> opened.directoryStats().unflushedBytes(),
        () -> usableBytes(directory),
        () -> opened.directoryStats().pinnedBytes(),
        parkedFetches::count,
        memory::usedBytes,
        () -> recovery.map(Recovery::seconds).orElse(Double.NaN));
  }

  private double usableBytes(Path directory) {
    try {
      return disk.usableBytes(directory);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  private boolean recover(Topics made) {
    long began = System.nanoTime();
    try {
      made.start().get();
    } catch (ExecutionException e) {
      if (phase != Phase.RECOVERING) {
        return false; // Told to stop, it stopped.
      }
      throw refused(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
    long nanos = System.nanoTime() - began;
    made.topics().forEach(partitionMeters::onCreated);
    int partitions = made.topics().stream().mapToInt(topic -> topic.partitions().size()).sum();
    long offline = EngineGauges.offline(made.topics());
    recovery =
        Optional.of(observers.tally().with(made.topics().size(), partitions, offline, nanos));
    return true;
  }

  private static RuntimeException refused(@Nullable Throwable cause) {
    return cause instanceof IOException e
        ? new StartRefused(String.valueOf(e.getMessage()), e)
        : new IllegalStateException("recovery failed", cause);
  }

  private boolean openPort(Topics made) {
    TopicAdministration asked = new TopicAdministration(made, threads.worker());
    String host = EngineSettings.advertisedHost(settings);
    RequestDispatcher dispatcher =
        new RequestDispatcher(
            made,
            asked,
            parkedFetches,
            new BrokerIdentity(
                settings.clusterId(),
                version,
                () -> new Metadata.Node(settings.nodeId(), host, port)),
            EngineSettings.limits(settings),
            new RequestDispatcher.Surroundings(
                threads.timers(), threads.worker(), memory, observers));
    DataServer opened =
        new DataServer(
            vertx, EngineSettings.net(settings), memory, dispatcher, threads.timers(), observers);
    try {
      port = opened.start().get();
    } catch (ExecutionException e) {
      String reason = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
      throw new StartRefused(
          "the data port %s:%d cannot be opened: %s (--port and --host choose another)"
              .formatted(
                  settings.host(),
                  settings.port(),
                  reason.substring(reason.lastIndexOf(':') + 1).strip()),
          e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
    server = Optional.of(opened);
    administration = Optional.of(asked);
    return true;
  }

  /** Stops serving, finishes what is under way, forces everything and marks the end clean. */
  void stop() {
    boolean served = phase == Phase.SERVING;
    enter(Phase.DRAINING);
    if (served && failure.isEmpty()) {
      pause(settings.shutdown().delayMs());
    }
    // Recovery gives up between two partitions.
    topics.filter(made -> !served).ifPresent(Topics::close);
    try {
      if (startEnded.await(settings.shutdown().flushTimeoutMs() + GRACE_MS, MILLISECONDS)) {
        takeDown();
      } else {
        LOG.log(Level.WARNING, "recovery does not stop; the next start has to begin it again");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private synchronized void takeDown() {
    if (takenDown) {
      return;
    }
    takenDown = true;
    enter(Phase.DRAINING);
    long drainMs = settings.shutdown().drainTimeoutMs();
    server.ifPresent(s -> await("the connections", s.stop(drainMs), drainMs + GRACE_MS));
    long flushMs = settings.shutdown().flushTimeoutMs();
    long deadline = System.nanoTime() + MILLISECONDS.toNanos(flushMs);
    // Whoever did not end may still write: then the directory is left as it is.
    if (topics.map(made -> await("the partitions", made.close(), flushMs)).orElse(true)) {
      long leftMs = NANOSECONDS.toMillis(deadline - System.nanoTime());
      logs.ifPresent(opened -> await("the data directory", close(opened), Math.max(0, leftMs)));
    }
    threads.close();
    enter(Phase.STOPPED);
  }

  /** On a thread of its own, which may then be left behind. */
  private static CompletableFuture<Void> close(LogDirectory opened) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    NodeThreads.daemon(
            "minikafka-close",
            () -> {
              try {
                opened.close();
                closed.complete(null);
              } catch (IOException | RuntimeException e) {
                closed.completeExceptionally(e);
              }
            })
        .start();
    return closed;
  }

  /**
   * @return whether it ended, well or not
   */
  private static boolean await(String what, CompletableFuture<Void> end, long timeoutMs) {
    try {
      end.get(timeoutMs, MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      LOG.log(Level.WARNING, "closing " + what + " failed", e.getCause());
      return true;
    } catch (TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "closing {0} took more than {1} ms and is given up; the next start has to recover",
          what,
          String.valueOf(timeoutMs));
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private void storageFailed(String reason) {
    failure = Optional.of(reason);
    fatal.accept(reason);
  }

  /**
   * @return false, and nothing happens, if it is further already
   */
  private synchronized boolean enter(Phase next) {
    if (phase.compareTo(next) >= 0) {
      return false;
    }
    phase = next;
    return true;
  }

  NodeState state() {
    return failure
        .<NodeState>map(NodeState.Failed::new)
        .orElseGet(
            () ->
                switch (phase) {
                  case STARTING -> new NodeState.Starting();
                  case RECOVERING -> {
                    Topics.Progress progress = topics.orElseThrow().progress();
                    yield new NodeState.Recovering(progress.opened(), progress.total());
                  }
                  case SERVING -> new NodeState.Serving();
                  case DRAINING -> new NodeState.Draining();
                  case STOPPED -> new NodeState.Stopped();
                });
  }

  /** Present once the data port is open. */
  Optional<TopicAdministration> administration() {
    return administration;
  }

  int offlinePartitions() {
    return topics.map(made -> (int) EngineGauges.offline(made.topics())).orElse(0);
  }

  /** The data port, once it is open. */
  int port() {
    return port;
  }

  /** What was brought back, once it was. */
  Optional<Recovery> recovery() {
    return recovery;
  }
}
