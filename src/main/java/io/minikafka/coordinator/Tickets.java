package io.minikafka.coordinator;

import io.minikafka.group.Answer;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for their answer: those of the burst, and parked ones. One thread at a
 * time.
 */
final class Tickets {
  private static final System.Logger LOG = System.getLogger(Tickets.class.getName());

  private final Map<Long, Mail.Ask> waiting = new HashMap<>();

  /** The tickets of a connection; sets are never empty. */
  private final Map<Long, Set<Long>> byConnection = new HashMap<>();

  void enter(Mail.Ask ask) {
    waiting.put(ask.ticket(), ask);
    byConnection.computeIfAbsent(ask.connection(), key -> new HashSet<>()).add(ask.ticket());
  }

  /** Takes out those that are to be asked once more, in the order in which they came. */
  List<Mail.Ask> takeOut(Predicate<Mail.Ask> which) {
    List<Mail.Ask> taken =
        waiting.values().stream()
            .filter(which)
            .sorted(Comparator.comparingLong(Mail.Ask::ticket))
            .toList();
    taken.forEach(ask -> remove(ask.ticket()));
    return taken;
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
    Mail.Ask entered = remove(ticket);
    if (entered != null) {
      tell(entered.done(), reply);
    }
  }

  private Mail.@Nullable Ask remove(long ticket) {
    Mail.Ask entered = waiting.remove(ticket);
    if (entered == null) {
      return null;
    }
    Set<Long> others = byConnection.get(entered.connection());
    if (others != null) {
      others.remove(ticket);
      if (others.isEmpty()) {
        byConnection.remove(entered.connection());
      }
    }
    return entered;
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
