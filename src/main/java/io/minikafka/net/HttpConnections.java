package io.minikafka.net;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The open connections of the HTTP port, and the bound on them. When there are as many as there may
 * be, the next one takes the place of one that nothing is owed to. Of those that have not asked for
 * anything yet and those that have, the more numerous lose their oldest; so neither a crowd of the
 * ones nor of the others keeps anybody from connecting, asking and being answered. One that waits
 * for an answer, or has an open stream, keeps its place.
 *
 * <p><b>Threads.</b> Any; nothing here waits.
 *
 * <p><b>Bounds.</b> The connections. Those that were accepted and are not let in yet, and those
 * that had to go and are not closed yet, hold a descriptor too: at {@link #MOST_UNSETTLED} of them
 * nothing more is accepted until there are fewer, and the system lets the others wait.
 */
public final class HttpConnections {
  /** Enough to never wait for each other, and few beside what the program has for itself. */
  static final int MOST_UNSETTLED = 32;

  private final HttpSettings settings;
  private final Timers timers;
  private final EngineObserver observer;

  // Guarded by this; each in the order in which they came to be so.
  private final SequencedSet<HttpConnection> strangers = new LinkedHashSet<>();
  private final SequencedSet<HttpConnection> waiting = new LinkedHashSet<>();
  private final SequencedSet<HttpConnection> busy = new LinkedHashSet<>();
  private final Set<HttpConnection> unsettled = new HashSet<>();
  private final Set<Channel> pausedListeners = new HashSet<>();

  /** What a connection is at the moment. */
  enum Standing {
    /** It has not asked for anything yet. */
    STRANGER,
    /** It has asked before. */
    WAITING,
    /** An answer is owed. */
    BUSY
  }

  public HttpConnections(HttpSettings settings, Timers timers, EngineObserver observer) {
    this.settings = settings;
    this.timers = timers;
    this.observer = observer;
  }

  /** How many are open. */
  public synchronized int count() {
    return strangers.size() + waiting.size() + busy.size();
  }

  /** How many of them wait for an answer, or have a stream that is open. */
  public synchronized int busyCount() {
    return busy.size();
  }

  /** How many may be open at once. */
  public int limit() {
    return settings.maxConnections();
  }

  HttpSettings settings() {
    return settings;
  }

  Timers timers() {
    return timers;
  }

  /** One was accepted, by whichever listener; on that one's thread. */
  synchronized void accepted(HttpConnection connection, Channel listener) {
    unsettled.add(connection);
    if (unsettled.size() >= MOST_UNSETTLED) {
      pausedListeners.add(listener);
      listener.config().setAutoRead(false);
    }
  }

  /** One was let in, is closed, or is none of these. */
  private void settled(HttpConnection connection) {
    if (unsettled.remove(connection)
        && unsettled.size() < MOST_UNSETTLED
        && !pausedListeners.isEmpty()) {
      pausedListeners.forEach(listener -> listener.config().setAutoRead(true));
      pausedListeners.clear();
    }
  }

  /** Lets one in, as a stranger; false if all others are owed an answer. */
  boolean admit(HttpConnection connection) {
    Optional<HttpConnection> leaves = Optional.empty();
    synchronized (this) {
      if (count() >= settings.maxConnections()) {
        SequencedSet<HttpConnection> crowd =
            strangers.size() >= waiting.size() ? strangers : waiting;
        if (crowd.isEmpty()) {
          return false;
        }
        HttpConnection oldest = crowd.removeFirst();
        unsettled.add(oldest);
        leaves = Optional.of(oldest);
      }
      strangers.add(connection);
      settled(connection);
    }
    observer.onHttpConnection(true);
    leaves.ifPresent(
        one -> {
          observer.onHttpConnection(false);
          one.close(HttpCloseReason.MADE_ROOM);
        });
    return true;
  }

  /**
   * A connection has become something else, or so once more.
   *
   * @return false if it had to leave
   */
  synchronized boolean becomes(Standing standing, HttpConnection connection) {
    if (!remove(connection)) {
      return false;
    }
    return switch (standing) {
      case STRANGER -> strangers.add(connection);
      case WAITING -> waiting.add(connection);
      case BUSY -> busy.add(connection);
    };
  }

  /** A connection has ended, or is none of these. */
  void ended(HttpConnection connection) {
    boolean counted;
    synchronized (this) {
      counted = remove(connection);
      settled(connection);
    }
    if (counted) {
      observer.onHttpConnection(false);
    }
  }

  /** A connection is about to be closed from this side. */
  void closing(HttpCloseReason reason) {
    observer.onHttpConnectionRefused(reason.text(), reason.isForWantOfRoom());
  }

  private boolean remove(HttpConnection connection) {
    return strangers.remove(connection) || waiting.remove(connection) || busy.remove(connection);
  }
}
