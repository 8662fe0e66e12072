package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.Assignor.Subscriber;
import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.GroupRecord.Owned;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Moves partitions from what is to what is meant to be: what is not meant for its owner is asked
 * for, and what nobody owns is granted, never the other way round [I23].
 */
final class Balance {
  private final Turn turn;

  Balance(Turn turn) {
    this.turn = turn;
  }

  /** Computes for whom each partition is meant; returns how many of them that moves. */
  static int retarget(Group group, TopicsView topics) {
    List<Member> members = new ArrayList<>();
    Map<PartitionId, String> kept = new HashMap<>();
    for (Member member : group.members.values()) {
      member.target = List.of();
      if (member.hasSeat()) {
        members.add(member);
      }
      if (member.saved.state() == MemberState.AWAY) {
        member.saved.owned().forEach(owned -> kept.put(owned.partition(), member.seat()));
      }
    }
    members.sort(Comparator.comparing(Member::seat));
    Map<PartitionId, Member> before = group.targets;
    List<List<PartitionId>> shares =
        group
            .assignor()
            .assign(
                members.stream()
                    .map(member -> new Subscriber(member.seat(), member.saved.topics()))
                    .toList(),
                topics,
                partition -> has(group, partition, kept));
    int moved = 0;
    Map<PartitionId, Member> targets = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      member.target = shares.get(i);
      for (PartitionId partition : member.target) {
        targets.put(partition, member);
        Optional<Member> last =
            group.ownerOf(partition).or(() -> Optional.ofNullable(before.get(partition)));
        if (last.isEmpty() || !last.get().seat().equals(member.seat())) {
          moved++;
        }
      }
    }
    group.targets = targets;
    group.recount();
    return moved;
  }

  /** The seat a sticky assignor leaves the partition to if it can; empty text for none. */
  private static String has(Group group, PartitionId partition, Map<PartitionId, String> kept) {
    Optional<Member> owner = group.ownerOf(partition);
    if (owner.isPresent()) {
      Holding holding = owner.get().owned.get(partition);
      if (holding != null && !holding.asked() && !holding.isVoid()) {
        return owner.get().seat();
      }
    }
    return group
        .targetOf(partition)
        .or(() -> owner)
        .map(Member::seat)
        .orElse(kept.getOrDefault(partition, ""));
  }

  /** Takes in who waits to join, bumps the generation and computes anew what is meant for whom. */
  void rebalance(Group group) {
    turn.begin(group);
    List<Joining> joining = List.copyOf(group.joining.values());
    group.joining.clear();
    group.windowEndsAtMs = Long.MAX_VALUE;
    turn.table.deadlines.forget(group);
    turn.table.gathering.remove(group);
    String assignor = group.saved.assignor();
    if (group.seated() == 0) {
      assignor =
          joining.stream()
              .map(Joining::assignor)
              .filter(title -> !title.isEmpty())
              .findFirst()
              .orElse(assignor);
    }
    boolean empty = group.seated() == 0 && joining.isEmpty();
    long emptySinceMs = group.saved.emptySinceMs() < 0 ? turn.wallMs : group.saved.emptySinceMs();
    turn.write(
        new GroupRecord.Group(
            group.saved.key(),
            group.saved.kind(),
            group.generation() + 1,
            assignor,
            empty ? emptySinceMs : -1));
    joining.forEach(one -> takeIn(group, one));
    int moved = retarget(group, turn.table.topics);
    group
        .history
        .begin(group.generation(), group.reasons, group.seated(), moved, turn.nowMs, turn.wallMs)
        .ifPresent(ended -> turn.tell(new GroupNews.Rebalanced(group.name, ended)));
    group.reasons.clear();
    group.rebalanceDue = false;
    group.touched.addAll(group.members.values());
    Joins joins = new Joins(turn);
    for (Joining one : joining) {
      group
          .member(one.member())
          .ifPresent(member -> joins.answer(member, one.ticket(), one.connection(), !one.known()));
    }
  }

  private void takeIn(Group group, Joining joining) {
    Optional<Member> known = group.member(joining.member());
    if (joining.known() && known.isPresent()) {
      turn.write(known.get().saved.subscribedTo(joining.topics()));
      group.reasons.add(known.get().title() + " changed its topics");
      return;
    }
    turn.write(joining.record(group.name));
    Member member = group.member(joining.member()).orElseThrow();
    member.number = turn.table.nextNumber();
    member.leaseEndMs = turn.nowMs + joining.sessionMs();
    turn.table.heard(member, joining.connection(), turn.nowMs);
    turn.table.deadlines.watch(member);
    group.reasons.add(member.title() + " joined");
  }

  /**
   * Before an answer to a live version 1 member: asks for what is not meant for it, and grants what
   * is free. Returns whether its list changes with the answer; its number has risen then.
   */
  boolean settle(Member member) {
    Group group = member.group;
    List<Holding> asked = new ArrayList<>();
    for (Holding holding : member.owned.values()) {
      if (!holding.asked()
          && (holding.isVoid() || group.targets.get(holding.partition) != member)) {
        holding.letGoByMs = turn.nowMs + member.saved.rebalanceMs();
        asked.add(holding);
      }
    }
    boolean granted = !grant(member, partition -> true).isEmpty();
    if (asked.isEmpty() && !granted && !member.listChanged) {
      return false;
    }
    member.number = turn.table.nextNumber();
    member.listChanged = false;
    asked.forEach(holding -> holding.askedIn = member.number);
    turn.table.deadlines.watch(member);
    return true;
  }

  /** Grants what is meant for the member, free and wanted; returns it. */
  List<PartitionId> grant(Member member, Predicate<PartitionId> wanted) {
    Group group = member.group;
    List<PartitionId> granted = new ArrayList<>();
    for (PartitionId partition : member.target) {
      if (group.isFree(partition) && wanted.test(partition)) {
        granted.add(partition);
      }
    }
    if (granted.isEmpty()) {
      return granted;
    }
    List<Owned> owned = new ArrayList<>(member.saved.owned());
    for (PartitionId partition : granted) {
      owned.add(new Owned(partition, group.generation()));
      turn.tell(
          new GroupNews.Granted(
              group.name, partition, member.id(), group.generation(), turn.nowMs));
    }
    turn.write(member.saved.owning(owned));
    return granted;
  }

  /** Ends the member's ownership of some partitions; whom they are meant for may have them now. */
  void release(Member member, Collection<PartitionId> partitions, EndReason reason) {
    if (partitions.isEmpty()) {
      return;
    }
    tellEnded(member, partitions, reason);
    Set<PartitionId> ended = new HashSet<>(partitions);
    turn.write(
        member.saved.owning(
            member.saved.owned().stream()
                .filter(owned -> !ended.contains(owned.partition()))
                .toList()));
    touchTargets(member.group, partitions);
  }

  /** Ends the member, and its ownership of all it has. */
  void remove(Member member, EndReason reason) {
    List<PartitionId> owned = List.copyOf(member.owned.keySet());
    tellEnded(member, owned, reason);
    turn.write(new GroupRecord.Tombstone(member.saved.key()));
    turn.table.forget(member);
    member.group.touched.remove(member);
    touchTargets(member.group, owned);
  }

  void tellEnded(Member member, Collection<PartitionId> partitions, EndReason reason) {
    for (PartitionId partition : partitions) {
      turn.tell(
          new GroupNews.Ended(
              member.group.name,
              partition,
              member.id(),
              holding(member, partition).grant,
              reason,
              turn.nowMs));
    }
  }

  void touchTargets(Group group, Collection<PartitionId> partitions) {
    turn.begin(group);
    partitions.forEach(partition -> group.targetOf(partition).ifPresent(group.touched::add));
  }

  /** The end of a turn: rebalances, answers who waits for news, sees whether all is settled. */
  void finish(Group group) {
    if (group.rebalanceDue || !group.reasons.isEmpty()) {
      rebalance(group);
    }
    for (Member member : List.copyOf(group.touched)) {
      if (member.parked != null && member.isLive() && !member.removed && settle(member)) {
        new Heartbeats(turn).answerParked(member);
      }
    }
    group.touched.clear();
    if (group.settled()) {
      group
          .history
          .settle(turn.nowMs)
          .ifPresent(ended -> turn.tell(new GroupNews.Rebalanced(group.name, ended)));
    }
    turn.table.dropIfBare(group);
  }

  private static Holding holding(Member member, PartitionId partition) {
    Holding holding = member.owned.get(partition);
    if (holding == null) {
      throw new IllegalStateException(member.title() + " does not own " + partition);
    }
    return holding;
  }
}
