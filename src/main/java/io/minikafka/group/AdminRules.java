package io.minikafka.group;

import io.minikafka.Counted;
import io.minikafka.PartitionId;
import io.minikafka.group.GroupEvent.OffsetChange;
import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.GroupRecord.Owned;
import io.minikafka.group.GroupResult.FetchedOffset;
import io.minikafka.group.GroupResult.Refused;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What the control plane does to groups, and what time does to those that nobody uses. */
final class AdminRules {
  private final Turn turn;
  private final GroupLimits limits;

  AdminRules(Turn turn) {
    this.turn = turn;
    this.limits = turn.table.limits;
  }

  void on(GroupEvent.SetOffsets set) {
    Optional<Group> found = find(set.ticket(), set.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    boolean inUse = inUse(group);
    if (inUse && !set.force()) {
      refuseInUse(set.ticket(), group);
      return;
    }
    if (Checks.refused(turn, set.ticket(), check(group, set))) {
      return;
    }
    List<PartitionId> partitions = set.changes().stream().map(OffsetChange::partition).toList();
    List<FetchedOffset> previous = OffsetRules.fetched(Optional.of(group.commits), partitions);
    if (inUse) {
      group.reasons.add(
          "offsets of %s were set".formatted(Counted.of(partitions.size(), "partition")));
      new Balance(turn).rebalance(group);
      grantAnew(group, new HashSet<>(partitions));
    }
    OffsetRules offsets = new OffsetRules(turn);
    for (OffsetChange change : set.changes()) {
      offsets.write(group, change.partition(), change.offset(), change.epoch(), change.metadata());
    }
    turn.answer(set.ticket(), new GroupResult.OffsetsSet(group.generation(), previous));
  }

  private Optional<Refused> check(Group group, GroupEvent.SetOffsets set) {
    if (set.generation().isPresent() && set.generation().getAsLong() != group.generation()) {
      return moved(
          "group %s is at generation %d, not %d"
              .formatted(group.name, group.generation(), set.generation().getAsLong()));
    }
    for (OffsetChange change : set.changes()) {
      if (!turn.table.topics.hasPartition(change.partition())) {
        return Optional.of(
            new Refused(GroupError.UNKNOWN_TOPIC, "no partition " + change.partition()));
      }
      if (!group.commits.of(change.partition()).equals(change.expected())) {
        return moved("%s was committed meanwhile".formatted(change.partition()));
      }
      Optional<Refused> refusal =
          OffsetRules.range(change.partition(), change.offset(), set.ends())
              .or(() -> Checks.metadata(change.metadata(), limits));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** Late commits of the owners must not undo what was set: no grant of before counts any more. */
  private void grantAnew(Group group, Set<PartitionId> partitions) {
    for (Member member : List.copyOf(group.members.values())) {
      if (!member.isLive()) {
        continue;
      }
      Map<PartitionId, Long> grants = new LinkedHashMap<>();
      for (Holding holding : member.owned.values()) {
        // What was granted in this very turn has seen no commit yet.
        if (partitions.contains(holding.partition) && holding.grant != group.generation()) {
          // Version 0 would not see another grant: it must see the partition go and come back. And
          // what is on its way out is to be committed by nobody.
          boolean goes =
              member.saved.version() == 0
                  || holding.asked()
                  || group.targets.get(holding.partition) != member;
          grants.put(holding.partition, goes ? Owned.VOID : group.generation());
        }
      }
      if (grants.isEmpty()) {
        continue;
      }
      new Balance(turn).tellEnded(member, grants.keySet(), EndReason.RESET);
      List<Owned> owned = new ArrayList<>();
      for (Owned one : member.saved.owned()) {
        Long grant = grants.get(one.partition());
        owned.add(grant == null ? one : new Owned(one.partition(), grant));
      }
      turn.write(member.saved.owning(owned));
      grants.forEach(
          (partition, grant) ->
              turn.tell(
                  new GroupNews.Granted(group.name, partition, member.id(), grant, turn.nowMs)));
      member.listChanged = true;
      group.touched.add(member);
    }
  }

  void on(GroupEvent.DeleteOffsets delete) {
    Optional<Group> found = find(delete.ticket(), delete.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    if (inUse(group)) {
      refuseInUse(delete.ticket(), group);
      return;
    }
    List<PartitionId> partitions =
        delete.partitions().isEmpty() ? group.commits.partitions() : delete.partitions();
    List<FetchedOffset> previous = OffsetRules.fetched(Optional.of(group.commits), partitions);
    previous.stream()
        .filter(one -> one.commit().isPresent())
        .forEach(one -> drop(group, one.partition()));
    turn.answer(delete.ticket(), new GroupResult.OffsetsSet(group.generation(), previous));
  }

  void on(GroupEvent.DeleteGroup delete) {
    Optional<Group> found = find(delete.ticket(), delete.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    if (inUse(group)) {
      refuseInUse(delete.ticket(), group);
      return;
    }
    group.commits.partitions().forEach(partition -> drop(group, partition));
    turn.write(new GroupRecord.Tombstone(group.saved.key()));
    turn.answer(delete.ticket(), new GroupResult.Done());
  }

  void on(GroupEvent.Sweep sweep) {
    for (Group group : List.copyOf(turn.table.groups.values())) {
      if (inUse(group)) {
        continue;
      }
      for (PartitionId partition : group.commits.partitions()) {
        CommittedOffset commit = group.commits.of(partition).orElseThrow();
        long sinceMs = Math.max(group.saved.emptySinceMs(), commit.committedAtMs());
        OptionalLong start = sweep.starts().start(partition);
        if (turn.wallMs - sinceMs >= limits.offsetsRetentionMs()
            && start.isPresent()
            && commit.offset() <= start.getAsLong()) {
          drop(group, partition);
          turn.tell(new GroupNews.OffsetExpired(group.name, partition, commit.offset()));
        }
      }
      if (group.commits.size() == 0
          && turn.wallMs - group.saved.emptySinceMs() >= limits.maxSessionMs()) {
        turn.write(new GroupRecord.Tombstone(group.saved.key()));
      }
    }
  }

  private void drop(Group group, PartitionId partition) {
    turn.write(new GroupRecord.Tombstone(new GroupRecord.CommitKey(group.name, partition)));
  }

  private Optional<Group> find(long ticket, String name) {
    Optional<Group> group = turn.table.group(name);
    if (group.isEmpty()) {
      turn.refuse(ticket, GroupError.UNKNOWN_GROUP, "no group '%s'".formatted(name));
    } else {
      turn.begin(group.get());
    }
    return group;
  }

  private static boolean inUse(Group group) {
    return !group.members.isEmpty() || !group.joining.isEmpty();
  }

  private void refuseInUse(long ticket, Group group) {
    turn.refuse(
        ticket,
        GroupError.GROUP_IN_USE,
        "group %s has %s".formatted(group.name, Counted.of(group.members.size(), "member")));
  }

  private static Optional<Refused> moved(String message) {
    return Optional.of(new Refused(GroupError.STATE_MOVED, message));
  }
}
