package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.Member.Parked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The version 1 heartbeat: by it a member lets go, and learns what is its own. */
final class Heartbeats {
  private final Turn turn;
  private final Balance balance;

  Heartbeats(Turn turn) {
    this.turn = turn;
    this.balance = new Balance(turn);
  }

  void on(GroupEvent.Heartbeat beat) {
    Optional<Member> found = Checks.live(turn, beat.ticket(), beat.group(), beat.member(), 1);
    if (found.isEmpty()) {
      return;
    }
    Member member = found.get();
    turn.begin(member.group);
    refresh(turn, member, beat.connection());
    Set<PartitionId> listed = new HashSet<>(beat.owned());
    balance.release(member, letGo(member, beat.assignment(), listed), EndReason.LET_GO);
    if (!member.owned.keySet().containsAll(listed)) {
      member.listChanged = true; // It believes in partitions that are not its own.
    }
    boolean changed = balance.settle(member);
    Parked older = member.parked;
    member.parked = null;
    if (older != null) {
      turn.answer(older.ticket(), current(member));
    }
    long waitMs = Math.clamp(beat.maxWaitMs(), 0, member.maxWaitMs());
    if (changed || beat.assignment() != member.number || waitMs == 0) {
      turn.answer(beat.ticket(), current(member));
      return;
    }
    member.parked = new Parked(beat.ticket(), beat.connection(), turn.nowMs + waitMs);
    turn.table.deadlines.watch(member);
  }

  /**
   * What the member shows to have let go: it does not list it, though it has applied the answer
   * that told it last about it. A list older than that answer says nothing [I21].
   */
  private static List<PartitionId> letGo(Member member, long assignment, Set<PartitionId> listed) {
    List<PartitionId> letGo = new ArrayList<>();
    if (assignment > member.number) {
      return letGo; // Of no answer of ours.
    }
    for (Holding holding : member.owned.values()) {
      if (assignment >= holding.toldIn && !listed.contains(holding.partition)) {
        letGo.add(holding.partition);
      }
    }
    return letGo;
  }

  /** The member was heard: its session begins anew. */
  static void refresh(Turn turn, Member member, long connection) {
    turn.table.heard(member, connection);
    member.leaseEndMs = Math.max(member.leaseEndMs, turn.nowMs + member.saved.sessionMs());
    turn.table.deadlines.watch(member);
  }

  /** Answers the heartbeat that waits, if one does, with how things are. */
  void answerParked(Member member) {
    Parked parked = member.parked;
    if (parked != null) {
      member.parked = null;
      turn.answer(parked.ticket(), current(member));
    }
  }

  /** The wait of the parked heartbeat is over. */
  void waited(Member member) {
    @Nullable Parked parked = member.parked;
    if (parked != null && parked.wakeAtMs() <= turn.nowMs) {
      balance.settle(member);
      answerParked(member);
    }
  }

  private GroupResult current(Member member) {
    return new GroupResult.Current(
        member.group.generation(), member.number, member.pending(), member.list(turn.table.topics));
  }
}
