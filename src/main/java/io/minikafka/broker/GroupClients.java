package io.minikafka.broker;

import io.minikafka.Caller;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who is behind the connections that members of groups are heard on: for people who look at a
 * group. In memory only; after a start it is known once a member is heard again.
 *
 * <p>Any thread. Bounded by the connections, and by {@link #MAX_CLOSED} that are closed: a member
 * outlives its connection by its session, and with so many others since, it is forgotten sooner.
 */
public final class GroupClients {
  /** Closed connections that are remembered. */
  static final int MAX_CLOSED = 10_000;

  private final Map<Long, Caller> open = new ConcurrentHashMap<>();

  /** Oldest first; guarded by itself. */
  private final Map<Long, Caller> closed = new LinkedHashMap<>();

  /** A client asks something about its group. */
  void heard(Caller caller) {
    if (open.get(caller.connection()) != caller) {
      open.put(caller.connection(), caller);
    }
  }

  /** A client that was heard has closed its connection. */
  void gone(Caller caller) {
    synchronized (closed) {
      closed.put(caller.connection(), caller);
      if (closed.size() > MAX_CLOSED) {
        closed.remove(closed.keySet().iterator().next());
      }
    }
    open.remove(caller.connection());
  }

  /** Who was heard on the connection; empty if that is not known any more. */
  Optional<Caller> on(long connection) {
    Caller present = open.get(connection);
    if (present != null) {
      return Optional.of(present);
    }
    synchronized (closed) {
      return Optional.ofNullable(closed.get(connection));
    }
  }
}
