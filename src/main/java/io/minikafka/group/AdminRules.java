package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupResult.FetchedOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** How groups and their commits end: the control plane deletes them, or nobody uses them. */
final class AdminRules {
  private final Turn turn;
  private final GroupLimits limits;

  AdminRules(Turn turn) {
    this.turn = turn;
    this.limits = turn.table.limits;
  }

  void on(GroupEvent.DeleteOffsets delete) {
    Optional<Group> found = unused(delete.ticket(), delete.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    List<PartitionId> partitions =
        delete.partitions().isEmpty() ? group.commits.partitions() : delete.partitions();
    List<FetchedOffset> previous = OffsetRules.fetched(Optional.of(group.commits), partitions);
    if (!delete.validateOnly()) {
      previous.stream()
          .filter(one -> one.commit().isPresent())
          .forEach(one -> drop(group, one.partition()));
    }
    turn.answer(delete.ticket(), new GroupResult.OffsetsSet(group.generation(), previous));
  }

  void on(GroupEvent.DeleteGroup delete) {
    Optional<Group> found = unused(delete.ticket(), delete.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    List<FetchedOffset> previous =
        OffsetRules.fetched(Optional.of(group.commits), group.commits.partitions());
    if (!delete.validateOnly()) {
      group.commits.partitions().forEach(partition -> drop(group, partition));
      forget(group);
    }
    turn.answer(delete.ticket(), new GroupResult.OffsetsSet(group.generation(), previous));
  }

  void on(GroupEvent.Sweep sweep) {
    for (Group group : List.copyOf(turn.table.groups.values())) {
      if (Checks.isInUse(group)) {
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
          turn.tell(
              new GroupNews.OffsetExpired(
                  group.name, turn.table.topics.nameOf(partition), partition, commit.offset()));
        }
      }
      if (group.commits.size() == 0
          && turn.wallMs - group.saved.emptySinceMs() >= limits.maxSessionMs()) {
        forget(group);
      }
    }
  }

  private void drop(Group group, PartitionId partition) {
    turn.write(new GroupRecord.Tombstone(new GroupRecord.CommitKey(group.name, partition)));
  }

  /** Drops a group without commits. */
  private void forget(Group group) {
    for (PartitionId partition : group.resets.partitions()) {
      turn.write(new GroupRecord.Tombstone(new GroupRecord.ResetKey(group.name, partition)));
    }
    turn.write(new GroupRecord.Tombstone(group.saved.key()));
  }

  /** The group, if nobody uses it; else the request has been answered. */
  private Optional<Group> unused(long ticket, String name) {
    Optional<Group> group = Checks.known(turn, ticket, name);
    return group.filter(found -> !Checks.refused(turn, ticket, Checks.unused(found)));
  }
}
