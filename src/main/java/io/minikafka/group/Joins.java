package io.minikafka.group;

import io.minikafka.group.GroupResult.Refused;
import java.util.List;
import java.util.Optional;

/** JoinGroup of both versions: who may come in, and when. */
final class Joins {
  private final Turn turn;
  private final GroupLimits limits;

  Joins(Turn turn) {
    this.turn = turn;
    this.limits = turn.table.limits;
  }

  void on(GroupEvent.Join join) {
    Optional<Refused> refusal =
        Checks.name("group", join.group(), false, limits)
            .or(() -> Checks.name("member", join.member(), join.version() == 0, limits))
            .or(() -> Checks.name("instance", join.instance(), true, limits))
            .or(() -> Checks.topics(join.topics(), limits))
            .or(() -> Checks.assignor(join.assignor()));
    if (join.version() != 0) {
      refusal =
          refusal
              .or(() -> Checks.duration("sessionMs", join.sessionMs(), limits))
              .or(() -> Checks.duration("rebalanceMs", join.rebalanceMs(), limits));
    }
    if (Checks.refused(turn, join.ticket(), refusal)) {
      return;
    }
    Optional<Member> known =
        turn.table.group(join.group()).flatMap(group -> group.member(join.member()));
    if (known.isPresent()) {
      turn.begin(known.get().group);
      fromKnown(known.get(), join);
    } else if (join.version() == 0 && !join.member().isEmpty()) {
      turn.answer(join.ticket(), Checks.unknown(join.group(), join.member()));
    } else {
      fromNew(join);
    }
  }

  private void fromKnown(Member member, GroupEvent.Join join) {
    if (member.isGone()) {
      turn.answer(join.ticket(), Checks.whyGone(member));
      return;
    }
    if (member.saved.version() != join.version()) {
      turn.answer(
          join.ticket(),
          new Refused(
              GroupError.UNKNOWN_MEMBER,
              "member '%s' speaks version %d".formatted(member.id(), member.saved.version())));
      return;
    }
    if (join.version() == 1 && Checks.refused(turn, join.ticket(), changed(member, join))) {
      return;
    }
    if (!member.isLive()) {
      takeSeat(member, join);
      return;
    }
    Heartbeats.refresh(turn, member, join.connection());
    List<String> topics = sorted(join.topics());
    Group group = member.group;
    withdraw(group, member.id(), GroupError.REBALANCE_IN_PROGRESS, "a later join took its place");
    if (topics.equals(member.saved.topics())) {
      answer(member, join.ticket(), join.connection(), false);
    } else {
      gather(group, joining(member.id(), true, join), false);
    }
  }

  /** What a member cannot change by joining again. */
  private static Optional<Refused> changed(Member member, GroupEvent.Join join) {
    GroupRecord.Member saved = member.saved;
    String what;
    if (!saved.instance().equals(join.instance())) {
      what = "instance is '%s'".formatted(saved.instance());
    } else if (member.isLive() && saved.sessionMs() != join.sessionMs()) {
      what = "sessionMs is %d".formatted(saved.sessionMs());
    } else if (member.isLive() && saved.rebalanceMs() != join.rebalanceMs()) {
      what = "rebalanceMs is %d".formatted(saved.rebalanceMs());
    } else if (isOther(member.group, join.assignor())) {
      return Optional.of(otherAssignor(member.group));
    } else {
      return Optional.empty();
    }
    return Optional.of(
        new Refused(
            GroupError.INVALID_REQUEST,
            "member '%s': its %s and stays so".formatted(member.id(), what)));
  }

  private void fromNew(GroupEvent.Join join) {
    Optional<Group> existing = turn.table.group(join.group());
    if (existing.isEmpty() && turn.table.groups.size() >= limits.maxGroups()) {
      turn.refuse(
          join.ticket(),
          GroupError.LIMIT_REACHED,
          "groups: the limit is %d".formatted(limits.maxGroups()));
      return;
    }
    if (existing.isPresent()
        && existing.get().seated() > 0
        && isOther(existing.get(), join.assignor())) {
      turn.answer(join.ticket(), otherAssignor(existing.get()));
      return;
    }
    Optional<Member> seat = existing.flatMap(group -> group.seatOf(join.instance()));
    if (seat.isPresent()) {
      takeSeat(seat.get(), join);
      return;
    }
    String id = join.member();
    if (existing.isPresent()) {
      Group group = existing.get();
      if (!id.isEmpty()) {
        withdraw(group, id, GroupError.REBALANCE_IN_PROGRESS, "a later join took its place");
      }
      withdrawInstance(group, join.instance());
      if (group.seated() + group.joining.size() >= limits.maxMembers()) {
        turn.refuse(
            join.ticket(),
            GroupError.LIMIT_REACHED,
            "members of group %s: the limit is %d".formatted(group.name, limits.maxMembers()));
        return;
      }
    }
    Group group = turn.begin(turn.table.obtain(join.group()));
    if (id.isEmpty()) {
      id = newId(group);
    }
    boolean first = group.seated() == 0 && group.joining.isEmpty();
    gather(group, joining(id, false, join), first);
  }

  /** A new process of a static member comes while the old one is there, or has kept its seat. */
  private void takeSeat(Member old, GroupEvent.Join join) {
    Group group = turn.begin(old.group);
    if (old.isLive()) {
      Departures departures = new Departures(turn);
      departures.forgetReplaced(group, join.instance());
      Refused fenced =
          new Refused(
              GroupError.FENCED_INSTANCE,
              "another process took the place of instance '%s'".formatted(join.instance()));
      departures.dismiss(old, fenced);
      turn.write(old.saved.in(MemberState.GONE));
      old.told = null;
    } else if (!old.id().equals(join.member())) {
      turn.write(new GroupRecord.Tombstone(old.saved.key()));
      turn.table.forget(old);
    }
    gather(group, joining(join.member(), false, join), true);
  }

  /** Lets the join wait for others, unless it must not. */
  private void gather(Group group, Joining joining, boolean atOnce) {
    group.joining.put(joining.member(), joining);
    if (atOnce || limits.joinWindowMs() == 0) {
      group.rebalanceDue = true;
    } else if (group.windowEndsAtMs == Long.MAX_VALUE) {
      group.windowEndsAtMs = turn.nowMs + limits.joinWindowMs();
      turn.table.gathering.add(group);
      turn.table.deadlines.watch(group);
    }
  }

  /** Refuses a join of that member that still waits. */
  void withdraw(Group group, String id, GroupError error, String message) {
    Joining joining = group.joining.remove(id);
    if (joining != null) {
      turn.refuse(joining.ticket(), error, message);
    }
  }

  private void withdrawInstance(Group group, String instance) {
    if (instance.isEmpty()) {
      return;
    }
    for (Joining other : List.copyOf(group.joining.values())) {
      if (other.instance().equals(instance)) {
        withdraw(
            group,
            other.member(),
            GroupError.FENCED_INSTANCE,
            "another process took the place of instance '%s'".formatted(instance));
      }
    }
  }

  /** Answers a join of a live member with what is granted now. */
  void answer(Member member, long ticket, long connection, boolean isNew) {
    if (member.saved.version() == 0) {
      new Version0(turn).answerJoin(member, ticket, connection, isNew);
      return;
    }
    new Balance(turn).settle(member);
    new Heartbeats(turn).answerParked(member);
    turn.answer(
        ticket,
        new GroupResult.Joined(
            member.id(),
            member.group.generation(),
            member.number,
            member.pending(),
            member.maxWaitMs(),
            member.list(turn.table.topics)));
  }

  private Joining joining(String id, boolean known, GroupEvent.Join join) {
    int sessionMs =
        (int) Math.clamp(join.sessionMs(), (long) limits.minSessionMs(), limits.maxSessionMs());
    return new Joining(
        join.ticket(),
        join.connection(),
        id,
        known,
        join.instance(),
        sessionMs,
        join.version() == 0 ? sessionMs : (int) join.rebalanceMs(),
        join.version(),
        join.assignor(),
        sorted(join.topics()));
  }

  private String newId(Group group) {
    String id;
    do {
      id = "v0-%d-%d".formatted(turn.table.opening, ++turn.table.idsMade);
    } while (group.members.containsKey(id) || group.joining.containsKey(id));
    return id;
  }

  private static boolean isOther(Group group, String assignor) {
    return !assignor.isEmpty() && !assignor.equals(group.saved.assignor());
  }

  private static Refused otherAssignor(Group group) {
    return new Refused(
        GroupError.INVALID_REQUEST,
        "assignor of group %s is %s while it has members"
            .formatted(group.name, group.saved.assignor()));
  }

  private static List<String> sorted(List<String> topics) {
    return topics.stream().sorted().distinct().toList();
  }
}
