package io.minikafka.coordinator;

import io.minikafka.group.Answer;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The requests that wait for their answer: those of the burst, and parked ones. One thread at a
 * time.
 */
final class Tickets {
  private static final System.Logger LOG = System.getLogger(Tickets.class.getName());

  private final Map<Long, Waiting> waiting = new HashMap<>();

  /** The tickets of a connection; sets are never empty. */
  private final Map<Long, Set<Long>> byConnection = new HashMap<>();

  private record Waiting(long connection, Consumer<GroupReply> done) {}

  void enter(long ticket, long connection, Consumer<GroupReply> done) {
    waiting.put(ticket, new Waiting(connection, done));
    byConnection.computeIfAbsent(connection, key -> new HashSet<>()).add(ticket);
  }

  /** Gives an answer to the one who waits for it, if somebody still does. */
  void answer(Answer answer) {
    give(answer.ticket(), new GroupReply.Answered(answer.result()));
  }

  /** Tells all that wait that nothing comes of it. */
  void failAll(GroupReply.Failed failed) {
    List.copyOf(waiting.keySet()).forEach(ticket -> give(ticket, failed));
  }

  /** The connection is gone: nobody there waits any more. */
  void forget(long connection) {
    Set<Long> gone = byConnection.remove(connection);
    if (gone != null) {
      waiting.keySet().removeAll(gone);
    }
  }

  int count() {
    return waiting.size();
  }

  private void give(long ticket, GroupReply reply) {
    Waiting entered = waiting.remove(ticket);
    if (entered == null) {
      return;
    }
    Set<Long> others = byConnection.get(entered.connection);
    if (others != null) {
      others.remove(ticket);
      if (others.isEmpty()) {
        byConnection.remove(entered.connection);
      }
    }
    tell(entered.done, reply);
  }

  /** Gives the answer to whoever takes it; what he throws hurts nobody else. */
  static void tell(Consumer<GroupReply> done, GroupReply reply) {
    try {
      done.accept(reply);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "whoever asked could not take the answer", e);
    }
  }
}
