package io.minikafka.broker;

import io.minikafka.Counted;
import io.minikafka.PartitionId;
import io.minikafka.broker.PartitionReset.Clamp;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupEvent.OffsetChange;
import io.minikafka.group.GroupPositions;
import io.minikafka.group.GroupSummary;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.TimeLookup;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Works out what a reset would do, from what groups have committed and how the logs are. Blocks
 * where a time is looked for. Any thread.
 */
final class ResetPlanner {
  private static final System.Logger LOG = System.getLogger(ResetPlanner.class.getName());

  private static final Refusal WITHDRAWN =
      Refusal.of(Refusal.Kind.ABORTED, "WITHDRAWN", "whoever asked for the plan has given it up");

  private final Topics topics;
  private final InstantSource clock;

  ResetPlanner(Topics topics, InstantSource clock) {
    this.topics = topics;
    this.clock = clock;
  }

  /**
   * What is asked, and how the groups are.
   *
   * @param at empty if the group does not exist
   * @param from the group whose commits are to be taken; empty if it does not exist, or none is
   * @param givenUp whether nobody waits for the plan any more
   */
  record Question(
      String group,
      List<PartitionSelection> partitions,
      ResetTarget target,
      Optional<GroupPositions> at,
      Optional<GroupPositions> from,
      BooleanSupplier givenUp) {
    Optional<CommittedOffset> committed(PartitionId partition) {
      return at.flatMap(group -> Optional.ofNullable(group.commits().get(partition)));
    }
  }

  /** Where a partition is to be set to, before it is clamped; empty: it is left as it is. */
  private record Aim(OptionalLong offset, List<String> notes) {
    static Aim at(long offset) {
      return new Aim(OptionalLong.of(offset), List.of());
    }

    static Aim leave(String why) {
      return new Aim(OptionalLong.empty(), List.of(why));
    }
  }

  Result<ResetPlans.Draft> plan(Question question) {
    Optional<Refusal> wrong = ResetTimes.check(question.target()).or(() -> check(question));
    if (wrong.isPresent()) {
      return Result.refused(wrong.get());
    }
    return switch (choose(question)) {
      case Result.Refused<List<ChosenPartition>>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<List<ChosenPartition>>(List<ChosenPartition> chosen) ->
          plan(question, chosen);
    };
  }

  private static Optional<Refusal> check(Question question) {
    return switch (question.target()) {
      case ResetTarget.Offset(long offset) when offset < 0 ->
          Optional.of(
              Refusal.invalid("offset", "offset is %d, must be 0 or more".formatted(offset)));
      case ResetTarget.FromGroup(String name) when question.from().isEmpty() ->
          Optional.of(
              new Refusal(
                  Refusal.Kind.NOT_FOUND,
                  GroupError.UNKNOWN_GROUP.name(),
                  "there is no group '%s'".formatted(GroupAudit.echo(name)),
                  GroupAudit.field("from_group", "there is no such group")));
      case ResetTarget.Offsets(List<PartitionOffset> offsets) when offsets.isEmpty() ->
          Optional.of(Refusal.invalid("offsets.offsets", "offsets names no partition"));
      case ResetTarget.Offsets offsets when !question.partitions().isEmpty() ->
          Optional.of(
              Refusal.invalid(
                  "partitions", "partitions must be empty: the offsets name their own"));
      default -> Optional.empty();
    };
  }

  private Result<List<ChosenPartition>> choose(Question question) {
    if (question.target() instanceof ResetTarget.Offsets(List<PartitionOffset> offsets)) {
      return ChosenPartition.at(topics, offsets);
    }
    if (!question.partitions().isEmpty()) {
      return ChosenPartition.named(topics, question.partitions());
    }
    Set<PartitionId> committed = new HashSet<>();
    question.at().ifPresent(at -> committed.addAll(at.commits().keySet()));
    question.from().ifPresent(from -> committed.addAll(from.commits().keySet()));
    Result<List<ChosenPartition>> used =
        ChosenPartition.used(
            topics, committed, question.at().map(GroupPositions::topics).orElse(Set.of()));
    return used instanceof Result.Done<List<ChosenPartition>>(var none) && none.isEmpty()
        ? Result.refused(
            Refusal.invalid(
                "partitions",
                "group '%s' has committed nothing and nobody in it has subscribed to anything; name"
                        .formatted(GroupAudit.echo(question.group()))
                    + " partitions"))
        : used;
  }

  private Result<ResetPlans.Draft> plan(Question question, List<ChosenPartition> chosen) {
    Instant now = clock.instant();
    List<PartitionReset> resets = new ArrayList<>();
    List<OffsetChange> changes = new ArrayList<>();
    for (ChosenPartition one : chosen) {
      if (question.givenUp().getAsBoolean()) {
        return Result.refused(WITHDRAWN);
      }
      PartitionStore.Snapshot log = one.partition().snapshot();
      if (log.isOffline()) {
        return Result.refused(
            Refusal.of(
                Refusal.Kind.STATE,
                "PARTITION_OFFLINE",
                "%s is offline (%s): where its log starts and ends is not known"
                    .formatted(one.name(), log.offline())));
      }
      Optional<CommittedOffset> old = question.committed(one.id());
      try {
        Aim aim = aim(question, one, old, now);
        PartitionReset reset = reset(one, old, aim);
        resets.add(reset);
        if (aim.offset().isPresent()) {
          changes.add(new OffsetChange(one.id(), old, reset.newOffset().orElseThrow(), 0, ""));
        }
      } catch (IOException e) {
        LOG.log(Level.WARNING, "looking for a time in " + one.name() + " failed", e);
        return Result.refused(
            Refusal.of(
                ErrorCode.STORAGE_FAILED,
                "looking for a time in %s failed: %s".formatted(one.name(), e.getMessage())));
      }
    }
    GroupSummary.State state =
        question.at().map(at -> at.summary().state()).orElse(GroupSummary.State.EMPTY);
    List<String> members = question.at().map(GroupPositions::members).orElse(List.of());
    long generation = question.at().map(at -> at.summary().generation()).orElse(0L);
    List<String> warnings = warnings(question, resets);
    Map<UUID, String> names = new HashMap<>();
    chosen.forEach(one -> names.put(one.id().topicId(), one.topic().name()));
    return Result.done(
        (token, expiresAt) ->
            new OffsetPlan(
                token,
                expiresAt,
                question.group(),
                state,
                generation,
                members,
                resets,
                changes,
                names,
                warnings));
  }

  private static Aim aim(
      Question question, ChosenPartition one, Optional<CommittedOffset> old, Instant now)
      throws IOException {
    Partition partition = one.partition();
    return switch (question.target()) {
      case ResetTarget.None none -> throw new IllegalStateException("not checked");
      case ResetTarget.Earliest earliest -> Aim.at(partition.snapshot().start());
      case ResetTarget.Latest latest -> Aim.at(partition.highWatermark());
      case ResetTarget.Offset(long offset) -> Aim.at(offset);
      case ResetTarget.Time time -> at(partition, ResetTimes.instant(time));
      case ResetTarget.Ago ago -> at(partition, ResetTimes.before(now, ago));
      case ResetTarget.Shift(long by) ->
          old.map(commit -> Aim.at(shifted(commit.offset(), by)))
              .orElseGet(() -> Aim.leave("nothing is committed: it is left as it is"));
      case ResetTarget.FromGroup(String other) ->
          question
              .from()
              .flatMap(from -> Optional.ofNullable(from.commits().get(one.id())))
              .map(commit -> Aim.at(commit.offset()))
              .orElseGet(
                  () ->
                      Aim.leave(
                          "group %s has committed nothing here: it is left as it is"
                              .formatted(other)));
      case ResetTarget.Offsets offsets -> Aim.at(one.wanted().orElseThrow());
    };
  }

  private static Aim at(Partition partition, Instant time) throws IOException {
    TimeLookup found = partition.offsetForTime(ResetTimes.ceilMs(time));
    return found.equals(TimeLookup.NONE)
        ? new Aim(
            OptionalLong.of(partition.highWatermark()),
            List.of("no record is of %s or later: it is set to the end".formatted(time)))
        : Aim.at(found.offset());
  }

  /** Beyond all bounds the furthest there is; that is clamped to the log. */
  private static long shifted(long offset, long by) {
    long sum = offset + by;
    return by > 0 && sum < offset ? Long.MAX_VALUE : sum;
  }

  private static PartitionReset reset(ChosenPartition one, Optional<CommittedOffset> old, Aim aim) {
    long start = one.partition().snapshot().start();
    long end = Math.max(start, one.partition().highWatermark());
    List<String> warnings = new ArrayList<>(aim.notes());
    OptionalLong before =
        old.map(commit -> OptionalLong.of(commit.offset())).orElseGet(OptionalLong::empty);
    if (aim.offset().isEmpty()) {
      return reset(one, before, before, 0, 0, Clamp.NONE, warnings);
    }
    long wanted = aim.offset().getAsLong();
    long now = Math.clamp(wanted, start, end);
    Clamp clamp = Clamp.NONE;
    if (wanted < start) {
      clamp = Clamp.TO_LOG_START;
      warnings.add("%d lies below the log start: it is set to that, %d".formatted(wanted, start));
    } else if (wanted > end) {
      clamp = Clamp.TO_END;
      warnings.add("%d lies beyond the end: it is set to that, %d".formatted(wanted, end));
    }
    long at = Math.clamp(before.orElse(start), start, end);
    long replayed = Math.max(0, at - now);
    long skipped = Math.max(0, now - at);
    if (replayed + skipped > 0 && one.partition().settings().store().cleanup().compacts()) {
      warnings.add("the topic is compacted: fewer records than that may be there");
    }
    inTheWay(one.partition(), now, end).ifPresent(warnings::add);
    return reset(one, before, OptionalLong.of(now), replayed, skipped, clamp, warnings);
  }

  /** Damage that who reads on from an offset comes to. */
  private static Optional<String> inTheWay(Partition partition, long from, long end) {
    List<DamagedRange> ahead =
        partition.damage().stream()
            .filter(range -> range.to() > from && range.from() < end)
            .toList();
    return ahead.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%d … %d are damaged and lie in the way%s"
                .formatted(
                    ahead.getFirst().from(),
                    ahead.getFirst().to() - 1,
                    ahead.size() > 1
                        ? " and %s".formatted(Counted.of(ahead.size() - 1, "more range"))
                        : ""));
  }

  private static PartitionReset reset(
      ChosenPartition one,
      OptionalLong old,
      OptionalLong now,
      long replayed,
      long skipped,
      Clamp clamp,
      List<String> warnings) {
    return new PartitionReset(
        one.topic().name(), one.id().partition(), old, now, replayed, skipped, clamp, warnings);
  }

  private static List<String> warnings(Question question, List<PartitionReset> resets) {
    List<String> warnings = new ArrayList<>();
    boolean changes = resets.stream().anyMatch(PartitionReset::isChange);
    if (question.at().isEmpty()) {
      warnings.add("the group does not exist" + (changes ? ": the reset makes it" : ""));
    }
    if (!changes) {
      warnings.add("no offset changes");
    }
    return warnings;
  }
}
