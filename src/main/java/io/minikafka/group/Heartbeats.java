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
    List<Holding> letGo = letGo(member, beat.assignment(), listed);
    balance.release(
        member, letGo.stream().map(holding -> holding.partition).toList(), EndReason.LET_GO);
    // What it was not asked for was in its list: one number never stands for two lists.
    member.listChanged |= letGo.stream().anyMatch(holding -> !holding.asked());
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
   * What the member shows to have let go. Of what it was asked for: it has applied the answer that
   * asked, or a later one, and does not list it. Of the rest: it has applied the newest answer,
   * which named it, and does not list it. A list older than that says nothing: an answer that names
   * the partition may be on its way [I24].
   */
  private static List<Holding> letGo(Member member, long assignment, Set<PartitionId> listed) {
    List<Holding> letGo = new ArrayList<>();
    if (assignment > member.number) {
      return letGo; // Of no answer of ours.
    }
    for (Holding holding : member.owned.values()) {
      long least = holding.asked() ? holding.askedIn : member.number;
      if (assignment >= least && !listed.contains(holding.partition)) {
        letGo.add(holding);
      }
    }
    return letGo;
  }

  /** The member was heard: its session begins anew. */
  static void refresh(Turn turn, Member member, long connection) {
    turn.table.heard(member, connection, turn.nowMs);
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
