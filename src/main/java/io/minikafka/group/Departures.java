package io.minikafka.group;

import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.GroupResult.Refused;
import java.util.List;
import java.util.Optional;

/**
 * How members end: they leave, their session is over, they are expelled, they lose a connection.
 */
final class Departures {
  private final Turn turn;
  private final Balance balance;

  Departures(Turn turn) {
    this.turn = turn;
    this.balance = new Balance(turn);
  }

  void on(GroupEvent.Leave leave) {
    Optional<Group> group = turn.table.group(leave.group());
    Optional<Member> member = group.flatMap(found -> found.member(leave.member()));
    if (member.isPresent()) {
      turn.begin(member.get().group);
      leave(member.get(), leave);
      turn.answer(leave.ticket(), new GroupResult.Done());
      return;
    }
    if (group.isPresent() && group.get().joining.containsKey(leave.member())) {
      turn.begin(group.get());
      new Joins(turn)
          .withdraw(group.get(), leave.member(), GroupError.UNKNOWN_MEMBER, "it has left");
      turn.answer(leave.ticket(), new GroupResult.Done());
      return;
    }
    turn.answer(leave.ticket(), Checks.unknown(leave.group(), leave.member()));
  }

  private void leave(Member member, GroupEvent.Leave leave) {
    dismiss(member, Checks.unknown(leave.group(), leave.member()));
    switch (member.saved.state()) {
      case GONE -> end(member, EndReason.LEFT);
      case AWAY -> {
        if (!leave.keepSeat()) {
          removeSeated(member, EndReason.LEFT, " left");
        }
      }
      case LIVE -> {
        if (leave.keepSeat() && !member.saved.instance().isEmpty()) {
          keepSeat(member, leave.connection());
        } else {
          removeSeated(member, EndReason.LEFT, " left");
        }
      }
    }
  }

  private void keepSeat(Member member, long connection) {
    Heartbeats.refresh(turn, member, connection);
    balance.tellEnded(member, List.copyOf(member.owned.keySet()), EndReason.LEFT);
    turn.write(member.saved.in(MemberState.AWAY));
    member.group.recount();
  }

  /** Takes away a member that has a seat; the group is rebalanced. */
  private void removeSeated(Member member, EndReason reason, String why) {
    Group group = turn.begin(member.group);
    balance.remove(member, reason);
    group.reasons.add(member.title() + why);
    forgetReplaced(group, member.saved.instance());
  }

  /** Ends what a member that is gone still owned; that it was replaced is remembered. */
  private void end(Member gone, EndReason reason) {
    String instance = gone.saved.instance();
    if (!instance.isEmpty() && gone.group.seatOf(instance).isPresent()) {
      balance.release(gone, List.copyOf(gone.owned.keySet()), reason);
    } else {
      balance.remove(gone, reason);
    }
  }

  /** Forgets the earlier processes of an instance, but for those whose lease still runs. */
  void forgetReplaced(Group group, String instance) {
    if (instance.isEmpty()) {
      return;
    }
    for (Member member : List.copyOf(group.members.values())) {
      if (member.isGone() && member.owned.isEmpty() && member.saved.instance().equals(instance)) {
        balance.remove(member, EndReason.LEASE_OVER);
      }
    }
  }

  /** A deadline of the member has come. */
  void due(Member member) {
    turn.begin(member.group);
    boolean overNow = !member.held && member.leaseEndMs <= turn.nowMs;
    if (overNow && member.isGone()) {
      end(member, EndReason.LEASE_OVER);
    } else if (overNow) {
      dismiss(member, Checks.unknown(member.group.name, member.id()));
      removeSeated(member, EndReason.EXPIRED, "'s session was over");
    } else if (member.isLive() && !member.held && member.earliestLetGoMs() <= turn.nowMs) {
      expel(member);
    } else {
      new Heartbeats(turn).waited(member);
    }
    turn.table.deadlines.watch(member);
  }

  /** It is a member no more, but what it has stays its own until its session is over. */
  private void expel(Member member) {
    Group group = member.group;
    turn.write(member.saved.in(MemberState.GONE));
    dismiss(member, Checks.whyGone(member));
    member.told = null;
    group.reasons.add(member.title() + " did not let go in time and was expelled");
    forgetReplaced(group, member.saved.instance());
  }

  /** Refuses what the member has waiting. */
  void dismiss(Member member, Refused why) {
    if (member.parked != null) {
      turn.answer(member.parked.ticket(), why);
      member.parked = null;
    }
    new Joins(turn).withdraw(member.group, member.id(), why.error(), why.message());
  }

  void on(GroupEvent.Disconnected gone) {
    long connection = gone.connection();
    turn.table.free(connection, turn.nowMs);
    for (Group group : List.copyOf(turn.table.gathering)) {
      if (group.joining.values().removeIf(joining -> joining.connection() == connection)) {
        turn.begin(group);
      }
    }
    for (Member member : turn.table.heardOn(connection)) {
      if (member.parked != null && member.parked.connection() == connection) {
        member.parked = null;
      }
      if (member.isLive() && member.saved.version() == 0) {
        new Version0(turn).disconnected(member, connection);
      }
    }
    turn.table.closed(connection);
  }
}
