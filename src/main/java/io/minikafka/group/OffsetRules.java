package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupEvent.CommitPart;
import io.minikafka.group.GroupResult.FetchedOffset;
import io.minikafka.group.GroupResult.PartOutcome;
import io.minikafka.group.GroupResult.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Commits and what becomes of them: only an owner's count, and all parts of one or none [I25]. */
final class OffsetRules {
  private final Turn turn;
  private final GroupLimits limits;

  OffsetRules(Turn turn) {
    this.turn = turn;
    this.limits = turn.table.limits;
  }

  void on(GroupEvent.Commit commit) {
    Optional<Committer> by = committer(commit.ticket(), commit.group(), commit.member(), 1);
    if (by.isEmpty()) {
      return;
    }
    Optional<Member> member = by.get().member();
    member.ifPresent(live -> Heartbeats.refresh(turn, live, commit.connection()));
    List<PartOutcome> outcomes = new ArrayList<>();
    String message = "";
    for (CommitPart part : commit.parts()) {
      Optional<Refused> refusal = check(member, part, commit.ends());
      if (message.isEmpty() && refusal.isPresent()) {
        message = refusal.get().message();
      }
      outcomes.add(new PartOutcome(part.partition(), refusal.map(Refused::error)));
    }
    GroupResult.Committed result = new GroupResult.Committed(List.copyOf(outcomes), message);
    if (result.written() && !commit.parts().isEmpty()) {
      Group group = obtain(commit.group());
      for (CommitPart part : commit.parts()) {
        write(group, part.partition(), part.offset(), part.epoch(), part.metadata());
      }
    }
    turn.answer(commit.ticket(), result);
  }

  private Optional<Refused> check(
      Optional<Member> member, CommitPart part, GroupEvent.LogEnds ends) {
    PartitionId partition = part.partition();
    if (!turn.table.topics.hasPartition(partition)) {
      return refusal(GroupError.UNKNOWN_TOPIC, "no partition " + partition);
    }
    if (member.isPresent()) {
      Holding holding = member.get().owned.get(partition);
      if (holding == null) {
        return refusal(
            GroupError.NOT_OWNER,
            "%s is not owned by member '%s'".formatted(partition, member.get().id()));
      }
      if (holding.grant != part.grant() || holding.isVoid()) {
        return refusal(
            GroupError.ILLEGAL_GENERATION,
            "%s: grant is %d, not %d".formatted(partition, holding.grant, part.grant()));
      }
    } else if (part.grant() != 0) {
      return refusal(
          GroupError.ILLEGAL_GENERATION,
          "%s: grant %d without a member; it is 0 then".formatted(partition, part.grant()));
    }
    if (part.epoch() < 0) {
      return refusal(
          GroupError.INVALID_REQUEST,
          "%s: epoch %s is above 2147483647"
              .formatted(partition, Integer.toUnsignedString(part.epoch())));
    }
    return range(partition, part.offset(), ends).or(() -> Checks.metadata(part.metadata(), limits));
  }

  /** Refuses an offset that no reader can have come to. */
  static Optional<Refused> range(PartitionId partition, long offset, GroupEvent.LogEnds ends) {
    if (offset < 0) {
      return refusal(
          GroupError.OFFSET_OUT_OF_RANGE,
          "%s: offset %s is above 2⁶³−1".formatted(partition, Long.toUnsignedString(offset)));
    }
    OptionalLong end = ends.end(partition);
    if (end.isPresent() && offset > end.getAsLong()) {
      return refusal(
          GroupError.OFFSET_OUT_OF_RANGE,
          "%s: offset %d is beyond the log end offset %d"
              .formatted(partition, offset, end.getAsLong()));
    }
    return Optional.empty();
  }

  void on(GroupEvent.Commit0 commit) {
    Optional<Committer> by = committer(commit.ticket(), commit.group(), commit.member(), 0);
    if (by.isEmpty()) {
      return;
    }
    Optional<Member> member = by.get().member();
    member.ifPresent(
        live -> new Version0(turn).heard(live, commit.connection(), commit.generation()));
    Optional<PartitionId> partition =
        turn.table.topics.partition(commit.topic(), commit.partition());
    if (partition.isEmpty()) {
      turn.refuse(
          commit.ticket(),
          GroupError.UNKNOWN_TOPIC,
          "no partition %s-%s"
              .formatted(commit.topic(), Integer.toUnsignedString(commit.partition())));
      return;
    }
    Optional<Refused> refusal =
        member
            .flatMap(found -> owner0(found, partition.get(), commit.generation()))
            .or(() -> range(partition.get(), commit.offset(), commit.ends()));
    if (Checks.refused(turn, commit.ticket(), refusal)) {
      return;
    }
    write(obtain(commit.group()), partition.get(), commit.offset(), 0, "");
    turn.answer(commit.ticket(), new GroupResult.Done());
  }

  private static Optional<Refused> owner0(Member member, PartitionId partition, int generation) {
    if (!Version0.isCurrent(member, generation)) {
      return refusal(
          GroupError.ILLEGAL_GENERATION,
          "generation %s is not the group's, or not the one of the last join"
              .formatted(Integer.toUnsignedString(generation)));
    }
    Holding holding = member.owned.get(partition);
    if (holding == null || holding.isVoid()) {
      return refusal(
          GroupError.NOT_OWNER, "%s is not owned by member '%s'".formatted(partition, member.id()));
    }
    return Optional.empty();
  }

  /** Who a commit comes from: a member, or nobody. */
  private record Committer(Optional<Member> member) {}

  /**
   * Who commits; if they may not, the request has been answered. Without a member a commit counts
   * only where no member could be disturbed.
   */
  private Optional<Committer> committer(long ticket, String name, String id, int version) {
    if (Checks.refused(turn, ticket, Checks.name("group", name, false, limits))) {
      return Optional.empty();
    }
    if (!id.isEmpty()) {
      return Checks.live(turn, ticket, name, id, version).map(Optional::of).map(Committer::new);
    }
    if (turn.table.group(name).map(Checks::isInUse).orElse(false)) {
      turn.refuse(
          ticket,
          GroupError.UNKNOWN_MEMBER,
          "group %s has members: a commit must name one".formatted(name));
      return Optional.empty();
    }
    return Checks.refused(turn, ticket, Checks.room(turn.table, name))
        ? Optional.empty()
        : Optional.of(new Committer(Optional.empty()));
  }

  /** The group, made if there is none. */
  Group obtain(String name) {
    Group group = turn.begin(turn.table.obtain(name));
    if (!group.isSaved) {
      turn.write(
          new GroupRecord.Group(
              group.saved.key(), 0, group.generation(), group.saved.assignor(), turn.wallMs));
    }
    return group;
  }

  void write(Group group, PartitionId partition, long offset, int epoch, String metadata) {
    turn.write(
        new GroupRecord.Commit(
            new GroupRecord.CommitKey(group.name, partition),
            new CommittedOffset(offset, epoch, turn.wallMs, metadata)));
  }

  void on(GroupEvent.FetchOffsets fetch) {
    Optional<ByPartition<CommittedOffset>> commits =
        turn.table.group(fetch.group()).map(group -> group.commits);
    List<PartitionId> asked =
        fetch.partitions().isEmpty()
            ? commits.map(ByPartition::partitions).orElse(List.of())
            : fetch.partitions();
    turn.answer(fetch.ticket(), new GroupResult.Offsets(fetched(commits, asked)));
  }

  void on(GroupEvent.FetchOffset0 fetch) {
    Optional<PartitionId> partition = turn.table.topics.partition(fetch.topic(), fetch.partition());
    if (partition.isEmpty()) {
      turn.refuse(
          fetch.ticket(),
          GroupError.UNKNOWN_TOPIC,
          "no partition %s-%s"
              .formatted(fetch.topic(), Integer.toUnsignedString(fetch.partition())));
      return;
    }
    Optional<ByPartition<CommittedOffset>> commits =
        turn.table.group(fetch.group()).map(group -> group.commits);
    turn.answer(
        fetch.ticket(), new GroupResult.Offsets(fetched(commits, List.of(partition.get()))));
  }

  static List<FetchedOffset> fetched(
      Optional<ByPartition<CommittedOffset>> commits, List<PartitionId> partitions) {
    return partitions.stream()
        .map(
            partition ->
                new FetchedOffset(partition, commits.flatMap(found -> found.of(partition))))
        .toList();
  }

  /** Recovery may have cut the log below what was committed, or was before a reset. */
  void on(GroupEvent.PartitionOpened opened) {
    PartitionId partition = opened.partition();
    for (Group group : turn.table.groups.values()) {
      group
          .commits
          .of(partition)
          .ifPresent(was -> cut(group, partition, was, opened.ends().endOf(was.epoch())));
      group.resets.of(partition).ifPresent(was -> cut(group, partition, was, opened.ends()));
    }
  }

  private void cut(Group group, PartitionId partition, CommittedOffset was, long end) {
    if (was.offset() > end) {
      write(group, partition, end, was.epoch(), was.metadata());
      turn.tell(
          new GroupNews.Clamped(
              group.name, turn.table.topics.nameOf(partition), partition, was.offset(), end));
    }
  }

  private void cut(Group group, PartitionId partition, ResetOffset was, GroupEvent.EpochEnds ends) {
    ResetOffset now =
        new ResetOffset(
            was.resetAtMs(),
            Math.min(was.offset(), ends.endOf(0)),
            was.previous()
                .map(commit -> commit.at(Math.min(commit.offset(), ends.endOf(commit.epoch())))));
    if (!now.equals(was)) {
      turn.write(new GroupRecord.Reset(new GroupRecord.ResetKey(group.name, partition), now));
    }
  }

  private static Optional<Refused> refusal(GroupError error, String message) {
    return Optional.of(new Refused(error, message));
  }
}
