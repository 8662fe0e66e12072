package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupNews.EndReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Members that speak version 0. Their heartbeats say only which generation they know, so they are
 * made to join again whenever what they have may differ from what they were told; by joining again
 * they let go.
 */
final class Version0 {
  private final Turn turn;
  private final Balance balance;

  Version0(Turn turn) {
    this.turn = turn;
    this.balance = new Balance(turn);
  }

  /**
   * Takes what the member is to let go, and grants what it may have.
   *
   * <p>Nothing new is granted while the last answer may be lost, and nothing that has the name of
   * what the last answer named: the member must see an answer without it, or it would read on where
   * it was [I27].
   */
  void answerJoin(Member member, long ticket, long connection, boolean isNew) {
    Told before = member.told;
    boolean sure =
        isNew || (before != null && (before.confirmed || before.connection == connection));
    List<PartitionId> letGo = new ArrayList<>();
    Set<PartitionId> voided = new HashSet<>();
    for (Holding holding : member.owned.values()) {
      if (holding.isVoid()) {
        voided.add(holding.partition);
      }
      if (holding.isVoid()
          || holding.asked()
          || member.group.targets.get(holding.partition) != member) {
        letGo.add(holding.partition);
      }
    }
    balance.release(member, letGo, EndReason.LET_GO);
    if (sure) {
      balance.grant(
          member, partition -> !voided.contains(partition) && !isNamesake(before, partition));
    }
    List<GrantedPartition> list = member.list(turn.table.topics);
    member.told = new Told(member.group.generation(), connection, list);
    turn.answer(
        ticket,
        new GroupResult.Joined(
            member.id(), member.group.generation(), 0, member.pending(), member.maxWaitMs(), list));
  }

  private boolean isNamesake(@Nullable Told before, PartitionId partition) {
    if (before == null) {
      return false;
    }
    PartitionId named =
        before.names.get(
            new TopicPartition(turn.table.topics.nameOf(partition), partition.partition()));
    return named != null && !named.equals(partition);
  }

  void on(GroupEvent.Heartbeat0 beat) {
    Optional<Member> found = Checks.live(turn, beat.ticket(), beat.group(), beat.member(), 0);
    if (found.isEmpty()) {
      return;
    }
    Member member = found.get();
    turn.begin(member.group);
    heard(member, beat.connection(), beat.generation());
    if (beat.generation() == member.group.generation0() && isUpToDate(member)) {
      turn.answer(beat.ticket(), new GroupResult.Done());
      return;
    }
    for (Holding holding : member.owned.values()) {
      if (!holding.asked()
          && (holding.isVoid() || member.group.targets.get(holding.partition) != member)) {
        holding.letGoByMs = turn.nowMs + member.saved.rebalanceMs();
      }
    }
    turn.table.deadlines.watch(member);
    turn.refuse(
        beat.ticket(),
        GroupError.REBALANCE_IN_PROGRESS,
        "group %s is at generation %d: join again"
            .formatted(member.group.name, member.group.generation()));
  }

  /** A heartbeat or a commit: it shows that the member lives, and which answer it acts on. */
  void heard(Member member, long connection, int generation) {
    Heartbeats.refresh(turn, member, connection);
    member.heard = true;
    if (member.told != null && generation == (int) member.told.generation) {
      member.told.confirm(connection);
    }
  }

  /** Whether a join now would be answered as the last one was. */
  private static boolean isUpToDate(Member member) {
    Told told = member.told;
    Group group = member.group;
    if (told == null
        || told.generation != group.generation()
        || told.grants.size() != member.owned.size()) {
      return false;
    }
    for (Holding holding : member.owned.values()) {
      Long grant = told.grants.get(holding.partition);
      if (grant == null
          || grant != holding.grant
          || holding.asked()
          || group.targets.get(holding.partition) != member) {
        return false;
      }
    }
    return member.target.stream().noneMatch(group::isFree);
  }

  /** Whether a commit may come from this generation. */
  static boolean isCurrent(Member member, int generation) {
    return generation == member.group.generation0()
        && (member.told == null || member.told.generation == member.group.generation());
  }

  /** The member's connection is gone: an answer on it that was not confirmed may be lost. */
  void disconnected(Member member, long connection) {
    if (member.told == null || member.told.connection != connection || member.told.arrived) {
      return;
    }
    if (member.heard) {
      member.told = null;
      return;
    }
    balance.remove(member, EndReason.CONNECTION_CLOSED);
    turn.begin(member.group)
        .reasons
        .add(member.title() + "'s connection closed before its first heartbeat");
  }
}
