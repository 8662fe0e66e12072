package io.minikafka.group;

import io.minikafka.Counted;
import io.minikafka.PartitionId;
import io.minikafka.group.GroupEvent.OffsetChange;
import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.GroupRecord.Owned;
import io.minikafka.group.GroupResult.FetchedOffset;
import io.minikafka.group.GroupResult.Refused;
import io.minikafka.group.GroupResult.UndoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Commits that are set from outside, and put back. What a reset replaced is kept until it is
 * undone, another changes something, or the group or the topic goes.
 */
final class ResetRules {
  private final Turn turn;
  private final GroupLimits limits;
  private final OffsetRules offsets;

  ResetRules(Turn turn) {
    this.turn = turn;
    this.limits = turn.table.limits;
    this.offsets = new OffsetRules(turn);
  }

  void on(GroupEvent.SetOffsets set) {
    Optional<Group> found = turn.table.group(set.group());
    if (Checks.refused(turn, set.ticket(), check(found, set))) {
      return;
    }
    List<PartitionId> partitions = set.changes().stream().map(OffsetChange::partition).toList();
    List<FetchedOffset> previous =
        OffsetRules.fetched(found.map(group -> group.commits), partitions);
    if (set.validateOnly() || set.changes().isEmpty()) {
      long bump = set.changes().isEmpty() ? 0 : 1;
      answer(set.ticket(), found.map(group -> after(group, bump)).orElse(0L), previous);
      return;
    }
    Group group = offsets.obtain(set.group());
    fence(group, partitions, "offsets of %s were set");
    set(group, set.changes().stream().filter(ResetRules::isChange).toList());
    answer(set.ticket(), group.generation(), previous);
  }

  /** Whether another offset is committed with it than without. */
  private static boolean isChange(OffsetChange change) {
    return change.expected().isEmpty() || change.expected().get().offset() != change.offset();
  }

  /** If nothing is changed, what the reset before this one replaced can still be put back. */
  private void set(Group group, List<OffsetChange> changes) {
    if (changes.isEmpty()) {
      return;
    }
    Set<PartitionId> changed = new HashSet<>();
    changes.forEach(change -> changed.add(change.partition()));
    for (PartitionId partition : group.resets.partitions()) {
      if (!changed.contains(partition)) {
        forget(group, partition);
      }
    }
    for (OffsetChange change : changes) {
      PartitionId partition = change.partition();
      turn.write(
          new GroupRecord.Reset(
              new GroupRecord.ResetKey(group.name, partition),
              new ResetOffset(turn.wallMs, change.offset(), group.commits.of(partition))));
      offsets.write(group, partition, change.offset(), change.epoch(), change.metadata());
    }
  }

  private void answer(long ticket, long generation, List<FetchedOffset> previous) {
    turn.answer(ticket, new GroupResult.OffsetsSet(generation, previous));
  }

  /** The generation the group would have. */
  private static long after(Group group, long bump) {
    return group.generation() + (Checks.isInUse(group) ? bump : 0);
  }

  private Optional<Refused> check(Optional<Group> found, GroupEvent.SetOffsets set) {
    if (set.changes().size() > GroupEvent.SetOffsets.MAX_CHANGES) {
      return Optional.of(
          new Refused(
              GroupError.LIMIT_REACHED,
              "a reset of %d partitions; the limit is %d"
                  .formatted(set.changes().size(), GroupEvent.SetOffsets.MAX_CHANGES)));
    }
    Optional<Refused> refusal =
        Checks.name("group", set.group(), false, limits)
            .or(() -> Checks.room(turn.table, set.group()))
            .or(() -> set.force() ? Optional.empty() : found.flatMap(Checks::unused));
    if (refusal.isPresent()) {
      return refusal;
    }
    long generation = found.map(Group::generation).orElse(0L);
    if (set.generation().isPresent() && set.generation().getAsLong() != generation) {
      return moved(
          "group %s is at generation %d, not %d"
              .formatted(set.group(), generation, set.generation().getAsLong()));
    }
    Set<PartitionId> seen = new HashSet<>();
    for (OffsetChange change : set.changes()) {
      refusal =
          seen.add(change.partition())
              ? check(found, change, set)
              : Optional.of(
                  new Refused(
                      GroupError.INVALID_REQUEST, title(change.partition()) + " is named twice"));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private Optional<Refused> check(
      Optional<Group> found, OffsetChange change, GroupEvent.SetOffsets set) {
    PartitionId partition = change.partition();
    Optional<CommittedOffset> committed = found.flatMap(group -> group.commits.of(partition));
    if (!turn.table.topics.hasPartition(partition)) {
      return moved("there is no partition %s any more".formatted(title(partition)));
    }
    if (!committed.equals(change.expected())) {
      return moved(
          "%s was committed meanwhile: %s"
              .formatted(title(partition), inWords(change.expected(), committed)));
    }
    OptionalLong start = set.starts().start(partition);
    if (start.isPresent() && change.offset() < start.getAsLong()) {
      return moved(
          "the log of %s starts at %d now, above %d"
              .formatted(title(partition), start.getAsLong(), change.offset()));
    }
    return below(partition, change.offset(), set.ends())
        .or(() -> Checks.metadata(change.metadata(), limits));
  }

  void on(GroupEvent.UndoReset undo) {
    Optional<Group> found = Checks.known(turn, undo.ticket(), undo.group());
    if (found.isEmpty()) {
      return;
    }
    Group group = found.get();
    if (Checks.refused(turn, undo.ticket(), check(group, undo))) {
      return;
    }
    List<PartitionId> partitions = group.resets.partitions();
    List<UndoneOffset> undone = new ArrayList<>();
    group.resets.forEach(
        (partition, reset) ->
            undone.add(new UndoneOffset(partition, reset.offset(), reset.previous())));
    long resetAtMs = group.resets.of(partitions.getFirst()).orElseThrow().resetAtMs();
    long generation = after(group, 1);
    boolean goes = goes(group, undone);
    if (!undo.validateOnly()) {
      fence(group, partitions, "a reset of %s was undone");
      undone.forEach(one -> putBack(group, one));
      if (goes) {
        turn.write(new GroupRecord.Tombstone(group.saved.key()));
      }
    }
    turn.answer(
        undo.ticket(), new GroupResult.Undone(generation, resetAtMs, List.copyOf(undone), goes));
  }

  private Optional<Refused> check(Group group, GroupEvent.UndoReset undo) {
    Optional<Refused> used = undo.force() ? Optional.empty() : Checks.unused(group);
    if (used.isPresent()) {
      return used;
    }
    if (group.resets.size() == 0) {
      return Optional.of(
          new Refused(
              GroupError.NOTHING_TO_UNDO,
              "group %s was not reset, or the reset was undone".formatted(group.name)));
    }
    for (PartitionId partition : group.resets.partitions()) {
      ResetOffset reset = group.resets.of(partition).orElseThrow();
      Optional<CommittedOffset> committed = group.commits.of(partition);
      if (committed.isEmpty() || committed.get().offset() != reset.offset()) {
        return moved(
            "the reset had set %s to %d, and it is %s now"
                .formatted(title(partition), reset.offset(), inWords(committed)));
      }
      Optional<Refused> refusal =
          reset.previous().flatMap(commit -> below(partition, commit.offset(), undo.ends()));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /**
   * Whether an undo leaves nothing of the group. One that never had a member is what its commits
   * are; where there were members, late requests of them are still to be told so.
   */
  private static boolean goes(Group group, List<UndoneOffset> undone) {
    return group.generation() == 0
        && !Checks.isInUse(group)
        && group.commits.size() == undone.size()
        && undone.stream().allMatch(one -> one.now().isEmpty());
  }

  private void putBack(Group group, UndoneOffset undone) {
    undone
        .now()
        .ifPresentOrElse(
            commit ->
                offsets.write(
                    group, undone.partition(), commit.offset(), commit.epoch(), commit.metadata()),
            () ->
                turn.write(
                    new GroupRecord.Tombstone(
                        new GroupRecord.CommitKey(group.name, undone.partition()))));
    forget(group, undone.partition());
  }

  private void forget(Group group, PartitionId partition) {
    turn.write(new GroupRecord.Tombstone(new GroupRecord.ResetKey(group.name, partition)));
  }

  /** Late commits of the owners must not undo what is set: no grant of before counts any more. */
  private void fence(Group group, List<PartitionId> partitions, String reason) {
    if (Checks.isInUse(group)) {
      group.reasons.add(reason.formatted(Counted.of(partitions.size(), "partition")));
      new Balance(turn).rebalance(group);
      grantAnew(group, new HashSet<>(partitions));
    }
  }

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

  /** Refuses an offset that lies beyond the log now. */
  private Optional<Refused> below(PartitionId partition, long offset, GroupEvent.LogEnds ends) {
    OptionalLong end = ends.end(partition);
    return end.isPresent() && offset > end.getAsLong()
        ? moved(
            "the log of %s ends at %d now, below %d"
                .formatted(title(partition), end.getAsLong(), offset))
        : Optional.empty();
  }

  private String title(PartitionId partition) {
    return turn.table.topics.title(partition);
  }

  private static String inWords(Optional<CommittedOffset> before, Optional<CommittedOffset> now) {
    String was = inWords(before);
    return was.equals(inWords(now))
        ? "it stays " + was
        : "it was %s and is %s".formatted(was, inWords(now));
  }

  private static String inWords(Optional<CommittedOffset> commit) {
    return commit.map(one -> "at " + one.offset()).orElse("not committed");
  }

  private static Optional<Refused> moved(String message) {
    return Optional.of(new Refused(GroupError.STATE_MOVED, message));
  }
}
