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
    if (Checks.refused(
        turn, commit.ticket(), Checks.name("group", commit.group(), false, limits))) {
      return;
    }
    Optional<Member> member = Optional.empty();
    if (commit.member().isEmpty()) {
      if (isRefusedToNobody(commit.ticket(), commit.group())) {
        return;
      }
    } else {
      member = Checks.live(turn, commit.ticket(), commit.group(), commit.member(), 1);
      if (member.isEmpty()) {
        return;
      }
      Heartbeats.refresh(turn, member.get(), commit.connection());
    }
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
    if (Checks.refused(
        turn, commit.ticket(), Checks.name("group", commit.group(), false, limits))) {
      return;
    }
    Optional<Member> member = Optional.empty();
    if (commit.member().isEmpty()) {
      if (isRefusedToNobody(commit.ticket(), commit.group())) {
        return;
      }
    } else {
      member = Checks.live(turn, commit.ticket(), commit.group(), commit.member(), 0);
      if (member.isEmpty()) {
        return;
      }
      new Version0(turn).heard(member.get(), commit.connection(), commit.generation());
    }
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

  /** Without a member a commit counts only where no member could be disturbed. */
  private boolean isRefusedToNobody(long ticket, String name) {
    Optional<Group> group = turn.table.group(name);
    if (group.isPresent() && !(group.get().members.isEmpty() && group.get().joining.isEmpty())) {
      turn.refuse(
          ticket,
          GroupError.UNKNOWN_MEMBER,
          "group %s has members: a commit must name one".formatted(name));
      return true;
    }
    if (group.isEmpty() && turn.table.groups.size() >= limits.maxGroups()) {
      turn.refuse(
          ticket,
          GroupError.LIMIT_REACHED,
          "groups: the limit is %d".formatted(limits.maxGroups()));
      return true;
    }
    return false;
  }

  private Group obtain(String name) {
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
    Optional<Commits> commits = turn.table.group(fetch.group()).map(group -> group.commits);
    List<PartitionId> asked =
        fetch.partitions().isEmpty()
            ? commits.map(Commits::partitions).orElse(List.of())
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
    Optional<Commits> commits = turn.table.group(fetch.group()).map(group -> group.commits);
    turn.answer(
        fetch.ticket(), new GroupResult.Offsets(fetched(commits, List.of(partition.get()))));
  }

  static List<FetchedOffset> fetched(Optional<Commits> commits, List<PartitionId> partitions) {
    return partitions.stream()
        .map(
            partition ->
                new FetchedOffset(partition, commits.flatMap(found -> found.of(partition))))
        .toList();
  }

  /** Recovery may have cut the log below what was committed. */
  void on(GroupEvent.PartitionOpened opened) {
    for (Group group : turn.table.groups.values()) {
      Optional<CommittedOffset> commit = group.commits.of(opened.partition());
      if (commit.isEmpty()) {
        continue;
      }
      CommittedOffset was = commit.get();
      long end = opened.ends().endOf(was.epoch());
      if (was.offset() > end) {
        write(group, opened.partition(), end, was.epoch(), was.metadata());
        turn.tell(new GroupNews.Clamped(group.name, opened.partition(), was.offset(), end));
      }
    }
  }

  private static Optional<Refused> refusal(GroupError error, String message) {
    return Optional.of(new Refused(error, message));
  }
}
