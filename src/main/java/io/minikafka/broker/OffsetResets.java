package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.PartitionId;
import io.minikafka.broker.PartitionReset.Clamp;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupEvent.OffsetChange;
import io.minikafka.group.GroupPositions;
import io.minikafka.group.GroupResult;
import io.minikafka.group.GroupResult.UndoneOffset;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Moves the committed offsets of groups: first a plan, which changes nothing, then the act.
 *
 * <p><b>Threads.</b> Any, event loops too: what looks at logs is done on the worker, what changes a
 * group waits for its turn with the coordinator. Answers come on any thread.
 *
 * <p><b>Plans</b> are kept in memory for {@link ResetPlans#LIFE}, so many and so large as {@link
 * ResetPlans} says. Each is applied once, and only if the group, the commits and the logs are as
 * they were: what has moved is {@link GroupError#STATE_MOVED}, and a plan that is not there is
 * {@link #UNKNOWN_PLAN}. A plan that was refused because the group is in use, or because the broker
 * could not write, can be applied again.
 *
 * <p><b>Trials.</b> With {@code validateOnly} the answer is the one the change would have had, and
 * nothing changes.
 */
public final class OffsetResets {
  /** The reason of a refusal: no such plan, or not any more. */
  public static final String UNKNOWN_PLAN = "UNKNOWN_PLAN";

  private final Topics topics;
  private final Coordinator coordinator;
  private final Executor worker;
  private final ResetPlanner planner;
  private final ResetPlans plans;

  /**
   * @param tokens makes tokens of plans, each time another that nobody can guess
   */
  public OffsetResets(
      Topics topics,
      Coordinator coordinator,
      Executor worker,
      InstantSource clock,
      Supplier<String> tokens) {
    this.topics = topics;
    this.coordinator = coordinator;
    this.worker = worker;
    this.planner = new ResetPlanner(topics, clock);
    this.plans = new ResetPlans(clock, tokens);
  }

  /** How the groups of a plan are. */
  private record Seen(
      Optional<String> nameError, Optional<GroupPositions> at, Optional<GroupPositions> from) {}

  /**
   * Works out what a reset would do.
   *
   * @param group need not exist
   * @param partitions which; empty for all that the group has committed or subscribed to
   */
  public CompletableFuture<Result<OffsetPlan>> plan(
      Caller caller, String group, List<PartitionSelection> partitions, ResetTarget target) {
    CompletableFuture<Result<OffsetPlan>> answer = new CompletableFuture<>();
    coordinator
        .look(
            groups ->
                new Seen(
                    groups.nameError(group),
                    groups.positions(group),
                    target instanceof ResetTarget.FromGroup(String other)
                        ? groups.positions(other)
                        : Optional.empty()))
        .thenApplyAsync(
            seen ->
                seen.nameError()
                    .map(error -> Result.<ResetPlans.Draft>refused(Refusal.invalid("group", error)))
                    .orElseGet(
                        () ->
                            planner.plan(
                                new ResetPlanner.Question(
                                    group,
                                    partitions,
                                    target,
                                    seen.at(),
                                    seen.from(),
                                    answer::isCancelled))),
            worker)
        .thenApply(this::kept)
        .exceptionally(GroupInspection::refused)
        .whenComplete(
            (planned, failure) -> {
              if (failure == null) {
                answer.complete(planned);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    return answer;
  }

  private Result<OffsetPlan> kept(Result<ResetPlans.Draft> planned) {
    return switch (planned) {
      case Result.Done<ResetPlans.Draft>(ResetPlans.Draft draft) -> Result.done(plans.keep(draft));
      case Result.Refused<ResetPlans.Draft>(Refusal refusal) -> Result.refused(refusal);
    };
  }

  /**
   * Does what was planned, all of it or nothing.
   *
   * @param force also if the group has members: the owners of the partitions are fenced
   */
  public CompletableFuture<Result<AppliedReset>> apply(
      Caller caller, String token, boolean force, boolean validateOnly) {
    Optional<OffsetPlan> found = validateOnly ? plans.look(token) : plans.take(token);
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(
          Result.refused(
              Refusal.of(
                  Refusal.Kind.NOT_FOUND,
                  UNKNOWN_PLAN,
                  "there is no such plan: it is older than %d minutes, was applied, or was given up"
                          .formatted(ResetPlans.LIFE.toMinutes())
                      + " for newer ones or at a restart; plan again")));
    }
    OffsetPlan plan = found.get();
    Optional<Refusal> gone = gone(plan);
    if (gone.isPresent()) {
      plans.drop(plan);
      return CompletableFuture.completedFuture(Result.refused(gone.get()));
    }
    CompletableFuture<GroupReply> answer = new CompletableFuture<>();
    coordinator.ask(
        0,
        ticket ->
            new GroupEvent.SetOffsets(
                ticket,
                plan.group(),
                plan.changes(),
                force,
                validateOnly,
                OptionalLong.of(plan.generation()),
                coordinator.logStarts(),
                coordinator.logEnds()),
        answer::complete);
    return answer.thenApply(reply -> applied(caller, plan, validateOnly, reply));
  }

  /** A topic that was deleted has no name any more but in the plan. */
  private Optional<Refusal> gone(OffsetPlan plan) {
    List<PartitionId> ids = plan.changes().stream().map(OffsetChange::partition).toList();
    return ids.stream()
        .filter(id -> topics.partition(id).isEmpty())
        .findFirst()
        .map(
            id ->
                Refusal.of(
                    GroupError.STATE_MOVED,
                    "the topic of %s was deleted meanwhile; plan again".formatted(plan.name(id))));
  }

  private Result<AppliedReset> applied(
      Caller caller, OffsetPlan plan, boolean validateOnly, GroupReply reply) {
    Result<GroupResult> result = GroupAudit.result(reply);
    switch (result) {
      case Result.Done<GroupResult>(GroupResult.OffsetsSet(long generation, var previous)) -> {
        if (!validateOnly) {
          plans.drop(plan);
          List<String> changed =
              plan.partitions().stream()
                  .filter(PartitionReset::isChange)
                  .map(GroupAudit::inWords)
                  .toList();
          GroupAudit.log(caller, "offsets of group '%s' were set".formatted(plan.group()), changed);
        }
        return Result.done(new AppliedReset(plan.group(), generation, plan.partitions()));
      }
      case Result.Done<GroupResult>(GroupResult other) ->
          throw new IllegalStateException("a reset is answered " + other);
      case Result.Refused<GroupResult>(Refusal refusal) -> {
        if (canBeApplied(refusal)) {
          plans.giveBack(plan);
        } else {
          plans.drop(plan);
        }
        return Result.refused(refusal);
      }
    }
  }

  /** Whether the plan is as good as before. */
  private static boolean canBeApplied(Refusal refusal) {
    return refusal.reason().equals(GroupError.GROUP_IN_USE.name())
        || refusal.kind() == Refusal.Kind.EXHAUSTED
        || refusal.kind() == Refusal.Kind.UNAVAILABLE;
  }

  /**
   * Puts back what the group's last reset replaced, all or none.
   *
   * @param force also if the group has members, as for a reset
   */
  public CompletableFuture<Result<UndoneReset>> undo(
      Caller caller, String group, boolean force, boolean validateOnly) {
    CompletableFuture<GroupReply> answer = new CompletableFuture<>();
    coordinator.ask(
        0,
        ticket ->
            new GroupEvent.UndoReset(ticket, group, force, validateOnly, coordinator.logEnds()),
        answer::complete);
    return answer.thenApply(reply -> undone(caller, group, validateOnly, reply));
  }

  private Result<UndoneReset> undone(
      Caller caller, String group, boolean validateOnly, GroupReply reply) {
    return switch (GroupAudit.result(reply)) {
      case Result.Refused<GroupResult>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<GroupResult>(GroupResult.Undone undone) -> {
        List<PartitionReset> partitions =
            undone.offsets().stream().map(this::undone).sorted(PartitionReset.ORDER).toList();
        if (!validateOnly) {
          GroupAudit.log(
              caller,
              "a reset of group '%s' was undone".formatted(GroupAudit.echo(group)),
              partitions.stream().map(GroupAudit::inWords).toList());
        }
        yield Result.done(
            new UndoneReset(
                undone.generation(),
                Instant.ofEpochMilli(undone.resetAtMs()),
                partitions,
                undone.groupGone()));
      }
      case Result.Done<GroupResult>(GroupResult other) ->
          throw new IllegalStateException("an undo is answered " + other);
    };
  }

  private PartitionReset undone(UndoneOffset one) {
    OptionalLong now =
        one.now().map(CommittedOffset::offset).map(OptionalLong::of).orElseGet(OptionalLong::empty);
    long to = now.orElse(one.reset());
    // An offset of which the log was given up since leads nowhere: only what is there is counted.
    long start =
        topics
            .partition(one.partition())
            .map(Partition::snapshot)
            .map(log -> log.start())
            .orElse(0L);
    return new PartitionReset(
        topics.nameOf(one.partition().topicId()).orElse(one.partition().topicId().toString()),
        one.partition().partition(),
        OptionalLong.of(one.reset()),
        now,
        Math.max(0, one.reset() - Math.max(to, start)),
        Math.max(0, to - Math.max(one.reset(), start)),
        Clamp.NONE,
        now.isEmpty() ? List.of("nothing was committed before, and nothing is again") : List.of());
  }
}
