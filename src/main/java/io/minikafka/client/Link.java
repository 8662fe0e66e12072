package io.minikafka.client;

import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Hello;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way to the server: at most one session at a time, made when somebody asks for it and made
 * again, with pauses that grow, when it has ended and somebody asks again.
 *
 * <p>Any thread; only {@link #close} blocks. Futures complete on the thread that connects, which
 * lives only while it tries.
 */
final class Link implements AutoCloseable {
  // Constant after construction.
  private final ClientSettings settings;
  private final ClientRuntime runtime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();

  // Guarded by lock.
  private final Backoff backoff;
  private @Nullable CompletableFuture<Session> pending;
  private @Nullable CompletableFuture<Session> hurried;
  private boolean closed;
  private int pauseMs;
  private long currentSinceNanos;

  /** Written under lock. */
  private volatile @Nullable Session current;

  Link(ClientSettings settings, ClientRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.backoff = new Backoff(settings.backoffMs(), settings.maxBackoffMs());
  }

  /** The open session if there is one. It may end at any moment. */
  Optional<Session> current() {
    Session now = current;
    return now != null && now.connection().isOpen() ? Optional.of(now) : Optional.empty();
  }

  /**
   * The session, if need be a new one; fails with {@link ConnectionException} when none could be
   * made for {@code outageMs}. The next call then tries again.
   */
  CompletableFuture<Session> session() {
    CompletableFuture<Session> made;
    lock.lock();
    try {
      Session now = current;
      if (now != null && now.connection().isOpen()) {
        return CompletableFuture.completedFuture(now);
      }
      if (now != null) {
        retire();
      }
      if (closed) {
        return CompletableFuture.failedFuture(closedByOwner());
      }
      if (pending != null) {
        return pending;
      }
      made = new CompletableFuture<>();
      pending = made;
    } finally {
      lock.unlock();
    }
    runtime.threads().newThread(() -> connect(made)).start();
    return made;
  }

  /**
   * The same for who cannot wait: fails with the first attempt that fails, be it under way already,
   * and ends the pause between two. One asks at a time.
   */
  CompletableFuture<Session> sessionAtOnce() {
    CompletableFuture<Session> asked = new CompletableFuture<>();
    lock.lock();
    try {
      hurried = asked;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    session()
        .whenComplete(
            (session, why) -> {
              if (why == null) {
                asked.complete(session);
              } else {
                asked.completeExceptionally(why);
              }
            });
    return asked;
  }

  private void failHurried(ConnectionException why) {
    CompletableFuture<Session> asked;
    lock.lock();
    try {
      asked = hurried;
      hurried = null;
    } finally {
      lock.unlock();
    }
    if (asked != null) {
      asked.completeExceptionally(why);
    }
  }

  /** Ends the session for good; what was unanswered has failed when this returns. */
  @Override
  public void close() {
    Session last;
    lock.lock();
    try {
      closed = true;
      last = current;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.connection().close(closedByOwner());
      try {
        last.connection().awaitEnd();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Tries until there is a session, the outage has lasted too long, or the link is closed. */
  private void connect(CompletableFuture<Session> made) {
    long sinceNanos = runtime.timers().nanoTime();
    // The first pause is a debt of earlier attempts; no later one goes beyond the outage.
    long longestNanos = Long.MAX_VALUE;
    while (awaitPause(longestNanos)) {
      Attempt attempt = attempt();
      if (attempt.session != null && publish(attempt.session)) {
        made.complete(attempt.session);
        return;
      }
      failHurried(attempt.failure);
      long elapsedNanos = runtime.timers().nanoTime() - sinceNanos;
      longestNanos = TimeUnit.MILLISECONDS.toNanos(settings.outageMs()) - elapsedNanos;
      if (attempt.isFinal || longestNanos <= 0) {
        giveUp(made, attempt.failure);
        return;
      }
    }
    giveUp(made, closedByOwner());
  }

  private void giveUp(CompletableFuture<Session> made, ConnectionException why) {
    lock.lock();
    try {
      pending = null;
    } finally {
      lock.unlock();
    }
    made.completeExceptionally(why);
  }

  /** Waits as long as the last failure demands, at most so long; false if closed. */
  private boolean awaitPause(long longestNanos) {
    lock.lock();
    try {
      long leftNanos = Math.min(TimeUnit.MILLISECONDS.toNanos(pauseMs), longestNanos);
      while (!closed && hurried == null && leftNanos > 0) {
        leftNanos = closing.awaitNanos(leftNanos);
      }
      pauseMs = backoff.afterFailureMs();
      return !closed;
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts the connecting thread", e);
    } finally {
      lock.unlock();
    }
  }

  /** Makes the session the current one unless it has ended already or the link is closed. */
  private boolean publish(Session session) {
    lock.lock();
    try {
      if (!closed && session.connection().isOpen()) {
        pending = null;
        hurried = null;
        current = session;
        currentSinceNanos = runtime.timers().nanoTime();
        return true;
      }
    } finally {
      lock.unlock();
    }
    session.connection().close(closedByOwner());
    return false;
  }

  private void ended(Connection connection) {
    lock.lock();
    try {
      Session now = current;
      if (now != null && now.connection() == connection) {
        retire();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Under lock: a session that did not last counts as a failed attempt, else one could spin. */
  private void retire() {
    current = null;
    long livedMs = (runtime.timers().nanoTime() - currentSinceNanos) / 1_000_000;
    if (livedMs >= settings.maxBackoffMs()) {
      backoff.reset();
      pauseMs = 0;
    }
  }

  /** Connects and greets. */
  private Attempt attempt() {
    Connection connection;
    try {
      connection = new Connection(settings, runtime.timers(), runtime.threads(), this::ended);
    } catch (IOException e) {
      String reason = e instanceof UnknownHostException ? "unknown host" : e.getMessage();
      return Attempt.failed("cannot connect to %s: %s".formatted(settings.server(), reason), e);
    }
    Attempt attempt = greet(connection);
    if (attempt.session == null) {
      connection.close(attempt.failure);
    }
    return attempt;
  }

  private Attempt greet(Connection connection) {
    Hello.Request hello = new Hello.Request(settings.clientName(), version());
    try {
      Hello.Response answer =
          Failures.await(connection.call(Hello.V1, hello, settings.connectTimeoutMs()).answer());
      if (answer.authRequired()) {
        return new Attempt(
            null,
            new ConnectionException(
                "%s wants authentication by one of %s, which this client does not know"
                    .formatted(settings.server(), answer.mechanisms()),
                null),
            true);
      }
      return Attempt.made(
          new Session(
              connection,
              new Version1(connection, settings.requestTimeoutMs()),
              new ServerDescription(
                  1, answer.clusterId(), answer.serverVersion(), answer.maxFrame())));
    } catch (ServerException e) {
      if (e.error() == ErrorCode.UNKNOWN_API) {
        return Attempt.made(
            new Session(
                connection,
                new Version0(connection, settings.requestTimeoutMs()),
                new ServerDescription(0, "", "", settings.maxFrameBytes())));
      }
      return Attempt.failed("%s refused the greeting: %s".formatted(settings.server(), e), e);
    } catch (MinikafkaException e) {
      return Attempt.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private static String version() {
    String version = Link.class.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }

  private static ConnectionException closedByOwner() {
    return new ConnectionException("the client was closed", null);
  }

  /**
   * @param failure what to say if there is no session, or if it ended before anybody saw it
   * @param isFinal another attempt would fail alike
   */
  private record Attempt(@Nullable Session session, ConnectionException failure, boolean isFinal) {
    static Attempt made(Session session) {
      return new Attempt(
          session, new ConnectionException("the connection ended at once", null), false);
    }

    static Attempt failed(String message, Throwable cause) {
      return new Attempt(null, new ConnectionException(message, cause), false);
    }
  }
}
