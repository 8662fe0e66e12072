package io.minikafka.net;

import io.minikafka.Caller;
import io.minikafka.Timers;
import io.minikafka.broker.RequestDispatcher;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.NetSocketInternal;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The share of the data port that one event loop serves: its connections, and the look at them now
 * and then. On that event loop, except where it says otherwise.
 */
final class DataPort extends AbstractVerticle {
  /** Looks come at least so often, and more often when time-outs are short. */
  private static final long LONGEST_LOOK_MS = 1000;

  private static final int LOOKS_PER_TIMEOUT = 8;

  private final DataServer server;
  private final int vertxPort;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final Set<Connection> connections = new LinkedHashSet<>();

  private @Nullable NetServer listener;
  private Timers.@Nullable Timer nextLook;
  private boolean stopping;

  /**
   * @param vertxPort negative: all that have the same number share one free port
   */
  DataPort(DataServer server, int vertxPort) {
    this.server = server;
    this.vertxPort = vertxPort;
  }

  NetSettings settings() {
    return server.settings();
  }

  NetMemory memory() {
    return server.memory();
  }

  RequestDispatcher dispatcher() {
    return server.dispatcher();
  }

  long nanoTime() {
    return server.timers().nanoTime();
  }

  Instant now() {
    return server.clock().instant();
  }

  @Override
  public void start(Promise<Void> started) {
    NetServerOptions options =
        new NetServerOptions().setTcpNoDelay(true).setReuseAddress(true).setTcpKeepAlive(true);
    NetServer made = vertx.createNetServer(options).connectHandler(this::accept);
    listener = made;
    made.listen(vertxPort, settings().host())
        .<Void>mapEmpty()
        .onSuccess(listening -> scheduleLook())
        .onComplete(started);
  }

  @Override
  public void stop() {
    if (nextLook != null) {
      nextLook.cancel();
    }
  }

  /** The port in use, once started. Any thread. */
  int actualPort() {
    return listener == null ? 0 : listener.actualPort();
  }

  private void accept(NetSocket accepted) {
    var socket = ((NetSocketInternal) accepted).channelHandlerContext();
    HttpBounds.spare(socket.channel());
    Optional<CloseReason> refusal = server.admit();
    if (refusal.isPresent()) {
      closing(refusal.get());
      accepted.close();
      return;
    }
    // It may be gone already.
    SocketAddress peer = accepted.remoteAddress();
    String host = peer == null ? "" : String.valueOf(peer.hostAddress());
    Caller caller = new Caller(server.nextConnectionId(), Caller.ANONYMOUS, "", host);
    Connection connection =
        new Connection(this, socket, caller, peer == null ? "" : hostAndPort(host, peer.port()));
    connections.add(connection);
    server.table().add(caller.connection(), connection);
    server.observer().onConnection(true);
    connection.begin();
  }

  private static String hostAndPort(String host, int port) {
    return (host.indexOf(':') < 0 ? "%s:%d" : "[%s]:%d").formatted(host, port);
  }

  private void scheduleLook() {
    long everyMs = LONGEST_LOOK_MS;
    for (long timeoutMs :
        new long[] {
          settings().idleTimeoutMs(), settings().frameTimeoutMs(), settings().sendTimeoutMs()
        }) {
      if (timeoutMs > 0) {
        everyMs = Math.min(everyMs, Math.max(1, timeoutMs / LOOKS_PER_TIMEOUT));
      }
    }
    nextLook =
        server
            .timers()
            .after(
                TimeUnit.MILLISECONDS.toNanos(everyMs),
                () -> context.runOnContext(ignored -> look()));
  }

  private void look() {
    long now = nanoTime();
    List.copyOf(connections).forEach(connection -> connection.look(now));
    if (!drained.isDone()) {
      scheduleLook();
    }
  }

  /** Runs work on an event loop, which would say of no error that it means the end. */
  void watched(Runnable work) {
    try {
      work.run();
    } catch (OutOfMemoryError e) {
      ifOutOfMemory(e);
      throw e;
    }
  }

  void ifOutOfMemory(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      server.observer().onOutOfMemory(String.valueOf(failure.getMessage()));
    }
  }

  /** A connection is about to be closed from this side. */
  void closing(CloseReason reason) {
    if (reason != CloseReason.STOPPING) {
      server.observer().onConnectionRefused(reason.text());
    }
  }

  /** A connection has ended. */
  void ended(Connection connection) {
    if (connections.remove(connection)) {
      server.table().remove(connection.id());
      server.left();
      server.observer().onConnection(false);
      completeIfDrained();
    }
  }

  /**
   * Takes no connection and no request any more, and lets those under way finish. Any thread.
   *
   * @return completes when every connection has ended
   */
  CompletableFuture<Void> drain() {
    context.runOnContext(
        ignored -> {
          stopping = true;
          List<Connection> open = List.copyOf(connections);
          // The listening socket: closing the listener itself would take the connections with it.
          open.forEach(Connection::stopListening);
          open.forEach(Connection::stop);
          completeIfDrained();
        });
    return drained;
  }

  /** Ends the connections that are left. Any thread. */
  void closeAll() {
    context.runOnContext(
        ignored ->
            List.copyOf(connections).forEach(connection -> connection.close(CloseReason.STOPPING)));
  }

  private void completeIfDrained() {
    if (stopping && connections.isEmpty()) {
      drained.complete(null);
    }
  }
}
