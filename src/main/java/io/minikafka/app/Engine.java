package io.minikafka.app;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.minikafka.app.Tally.Recovery;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.HttpUse;
import io.minikafka.broker.StopSignal;
import io.minikafka.broker.TopicAdministration;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.Status;
import io.minikafka.log.LogDirectory;
import io.minikafka.net.DataServer;
import io.minikafka.net.HttpConnections;
import io.minikafka.ops.EngineGauges;
import io.minikafka.ops.NodeState;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The broker without the framework around it: brings its parts up in order, and takes them down in
 * the opposite order.
 *
 * <p><b>Life-cycle.</b> {@link #start} once, {@link #stop} as often as anybody likes, also while
 * starting; a start that fails takes down what it had brought up.
 *
 * <p><b>Threads.</b> Start and stop block; nobody may interrupt them. All else: any, never blocks.
 *
 * <p><b>Bounds.</b> Stopping takes at most the delay, the drain and the flush time-outs of the
 * settings, and {@link #GRACE_MS} for each. What is not forced by then is left to the next start.
 */
final class Engine {
  /** For what a time-out sets off to be done. */
  static final long GRACE_MS = 2_000;

  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  // Constant after construction.
  private final BrokerSettings settings;
  private final Consumer<String> fatal;
  private final Assembly assembly;
  private final StopSignal stopping = new StopSignal();
  private final CountDownLatch startEnded = new CountDownLatch(1);

  // Written only by start, in this order.
  private volatile Optional<LogDirectory> logs = Optional.empty();
  private volatile Optional<Topics> topics = Optional.empty();
  private volatile Optional<Recovery> recovery = Optional.empty();
  private volatile Optional<Coordinator> coordinator = Optional.empty();
  private volatile Optional<DataServer> server = Optional.empty();
  private volatile Optional<ControlPlane> controls = Optional.empty();
  private volatile int port;

  /** Moves forward only, by {@link #enter}. */
  private volatile Phase phase = Phase.STARTING;

  /** Why the storage can no longer be trusted; set once. */
  private volatile Optional<String> failure = Optional.empty();

  /** Guarded by {@link #assembly}. */
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
  Engine(BrokerSettings settings, Assembly.Around around, Consumer<String> fatal) {
    this.settings = settings;
    this.fatal = fatal;
    this.assembly = new Assembly(settings, around);
  }

  /**
   * Brings back what is in the data directory and then opens the data port.
   *
   * @return whether it serves; not if it was stopped meanwhile
   * @throws StartRefused one line for the operator
   */
  boolean start() {
    boolean serves = false;
    try {
      serves = bringUp();
      return serves;
    } finally {
      if (!serves) {
        takeDown();
      }
      startEnded.countDown();
    }
  }

  private boolean bringUp() {
    lookForFreePort();
    LogDirectory openedLogs = assembly.openLogs(this::storageFailed);
    logs = Optional.of(openedLogs);
    Topics madeTopics = assembly.makeTopics(openedLogs);
    topics = Optional.of(madeTopics);
    return enter(Phase.RECOVERING)
        && recover(madeTopics)
        && readGroups(madeTopics)
        && openPort(madeTopics)
        && enter(Phase.SERVING);
  }

  private boolean recover(Topics made) {
    long began = System.nanoTime();
    try {
      made.start().get();
    } catch (ExecutionException e) {
      if (phase != Phase.RECOVERING) {
        LOG.log(Level.INFO, () -> "recovery was stopped: " + e.getCause());
        return false;
      }
      throw e.getCause() instanceof IOException cause
          ? new StartRefused(String.valueOf(cause.getMessage()), cause)
          : new IllegalStateException("recovery failed", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    recovery = Optional.of(assembly.recovered(made.topics(), System.nanoTime() - began));
    return true;
  }

  /**
   * Before anything is made in the data directory: a start on a taken port, or on an address of
   * another machine, leaves no trace.
   */
  private void lookForFreePort() {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(settings.host(), settings.port()));
    } catch (BindException e) {
      throw portRefused(e);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "whether the port is free shows when it is opened", e);
    }
  }

  private StartRefused portRefused(Throwable cause) {
    return new StartRefused(
        "the data port %s:%d cannot be opened: %s (--port and --host choose another)%s"
            .formatted(
                settings.host(),
                settings.port(),
                reason(cause),
                logs.isPresent() ? "" : assembly.directoryAlsoInUse()),
        cause);
  }

  /** Groups that cannot be read now are read later; everything else is served meanwhile. */
  private boolean readGroups(Topics made) {
    Coordinator madeCoordinator = assembly.makeCoordinator(made);
    coordinator = Optional.of(madeCoordinator);
    if (phase != Phase.RECOVERING) {
      // The stop has not seen it.
      return false;
    }
    try {
      madeCoordinator.start().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading the groups failed", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return phase == Phase.RECOVERING;
  }

  private boolean openPort(Topics made) {
    TopicAdministration madeAdministration = assembly.makeAdministration(made);
    Coordinator madeCoordinator = coordinator.orElseThrow();
    DataServer madeServer =
        assembly.makeServer(made, madeAdministration, madeCoordinator, () -> port);
    try {
      port = madeServer.start().get();
    } catch (ExecutionException e) {
      throw portRefused(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    server = Optional.of(madeServer);
    controls =
        Optional.of(
            assembly.makeControls(
                made,
                madeAdministration,
                madeCoordinator,
                assembly.makeBrokerAdministration(
                    logs.orElseThrow(),
                    made,
                    madeCoordinator,
                    madeServer,
                    recovery.orElseThrow(),
                    port),
                stopping));
    return true;
  }

  /** The transport puts the call and its error number before what happened. */
  private static String reason(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.substring(message.lastIndexOf(':') + 1).strip();
  }

  /** Stops serving, finishes what is under way, forces everything and marks the end clean. */
  void stop() {
    boolean served = phase == Phase.SERVING;
    enter(Phase.DRAINING);
    stopping.stop();
    if (served) {
      if (failure.isEmpty()) {
        pause(settings.shutdown().delayMs());
      }
    } else {
      coordinator.ifPresent(Coordinator::stop);
      // Recovery gives up between two partitions.
      topics.ifPresent(Topics::close);
    }
    try {
      if (startEnded.await(settings.shutdown().flushTimeoutMs() + GRACE_MS, MILLISECONDS)) {
        takeDown();
      } else {
        LOG.log(Level.WARNING, "recovery does not stop and is left; the next start begins it anew");
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void takeDown() {
    synchronized (assembly) {
      if (takenDown) {
        return;
      }
      takenDown = true;
      enter(Phase.DRAINING);
      long drainMs = settings.shutdown().drainTimeoutMs();
      server.ifPresent(s -> await("the data port", s.stop(drainMs), drainMs + GRACE_MS));
      coordinator.ifPresent(c -> await("the groups", c.stop(), drainMs + GRACE_MS));
      flush();
      assembly.threads().close();
      enter(Phase.STOPPED);
    }
  }

  private void flush() {
    long limitMs = settings.shutdown().flushTimeoutMs();
    long deadline = System.nanoTime() + MILLISECONDS.toNanos(limitMs);
    boolean closed = topics.map(t -> await("the partitions", t.close(), limitMs)).orElse(true);
    if (closed) {
      long leftMs = Math.max(0, NANOSECONDS.toMillis(deadline - System.nanoTime()));
      logs.ifPresent(l -> await("the data directory", close(l), leftMs + GRACE_MS));
    }
    // Else whoever did not end may still write: the directory stays locked, and its end unclean.
  }

  /** On a thread of its own, which may then be left behind. */
  private static CompletableFuture<Void> close(LogDirectory opened) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            opened.close();
            closed.complete(null);
          } catch (IOException | RuntimeException e) {
            closed.completeExceptionally(e);
          }
        };
    NodeThreads.daemon("minikafka-close", work).start();
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
      if (e.getCause() instanceof IOException expected) {
        LOG.log(
            Level.WARNING, () -> "closing %s failed: %s".formatted(what, expected.getMessage()));
      } else {
        LOG.log(Level.WARNING, "closing " + what + " failed", e.getCause());
      }
      return true;
    } catch (TimeoutException e) {
      LOG.log(
          Level.WARNING,
          () -> "closing %s took more than %d ms and is left".formatted(what, timeoutMs));
      return false;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    return new IllegalStateException("nobody may interrupt this thread", e);
  }

  private void storageFailed(String reason) {
    failure = Optional.of(reason);
    fatal.accept(reason);
  }

  /**
   * @return false, and nothing happens, if it is as far already
   */
  private synchronized boolean enter(Phase next) {
    if (phase.compareTo(next) >= 0) {
      return false;
    }
    phase = next;
    return true;
  }

  NodeState state() {
    Optional<String> reason = failure;
    if (reason.isPresent()) {
      return new NodeState.Failed(reason.get());
    }
    return switch (phase) {
      case STARTING -> new NodeState.Starting();
      case RECOVERING -> {
        Topics.Progress progress = topics.orElseThrow().progress();
        yield new NodeState.Recovering(progress.opened(), progress.total());
      }
      case SERVING -> new NodeState.Serving(port);
      case DRAINING -> new NodeState.Draining();
      case STOPPED -> new NodeState.Stopped();
    };
  }

  /** How groups are; loading until there is a coordinator. */
  Status groups() {
    return coordinator.map(Coordinator::status).orElseGet(Status.Loading::new);
  }

  int offlinePartitions() {
    return topics.map(made -> (int) EngineGauges.offline(made.topics())).orElse(0);
  }

  HttpUse httpUse() {
    return assembly.httpUse();
  }

  HttpConnections httpConnections() {
    return assembly.httpConnections();
  }

  /** Present once the data port is open. */
  Optional<ControlPlane> controls() {
    return controls;
  }

  /** The data port, once it is open. */
  int port() {
    return port;
  }

  /** Whether the next start can rely on what this one left: once it has stopped. */
  boolean hasEndedClean() {
    return logs.map(LogDirectory::hasEndedClean).orElse(true);
  }

  /** What was brought back, once it was. */
  Optional<Recovery> recovery() {
    return recovery;
  }
}
