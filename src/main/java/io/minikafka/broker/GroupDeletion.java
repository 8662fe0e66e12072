package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.PartitionId;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import io.minikafka.topic.Topics;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Deletes groups, or commits of them; only while nobody is in the group.
 *
 * <p>Any thread, event loops too: what is asked waits for its turn with the coordinator. With
 * {@code validateOnly} the answer is the one the change would have had, and nothing changes.
 */
public final class GroupDeletion {
  private final Topics topics;
  private final Coordinator coordinator;

  public GroupDeletion(Topics topics, Coordinator coordinator) {
    this.topics = topics;
    this.coordinator = coordinator;
  }

  /**
   * Deletes a group with all that it has committed.
   *
   * @return what was committed
   */
  public CompletableFuture<Result<List<CommittedPartition>>> group(
      Caller caller, String group, boolean validateOnly) {
    return ask(
        caller,
        "group '%s' was deleted".formatted(GroupAudit.echo(group)),
        validateOnly,
        ticket -> new GroupEvent.DeleteGroup(ticket, group, validateOnly));
  }

  /**
   * Deletes committed offsets.
   *
   * @param partitions of which; at least one
   * @return those that were committed
   */
  public CompletableFuture<Result<List<CommittedPartition>>> offsets(
      Caller caller, String group, List<PartitionSelection> partitions, boolean validateOnly) {
    if (partitions.isEmpty()) {
      return CompletableFuture.completedFuture(
          Result.refused(Refusal.invalid("partitions", "no partition is named")));
    }
    return switch (ChosenPartition.named(topics, partitions)) {
      case Result.Refused<List<ChosenPartition>>(Refusal refusal) ->
          CompletableFuture.completedFuture(Result.refused(refusal));
      case Result.Done<List<ChosenPartition>>(List<ChosenPartition> chosen) -> {
        List<PartitionId> ids = chosen.stream().map(ChosenPartition::id).toList();
        yield ask(
            caller,
            "offsets of group '%s' were deleted".formatted(GroupAudit.echo(group)),
            validateOnly,
            ticket -> new GroupEvent.DeleteOffsets(ticket, group, ids, validateOnly));
      }
    };
  }

  private CompletableFuture<Result<List<CommittedPartition>>> ask(
      Caller caller, String what, boolean validateOnly, LongFunction<GroupEvent> event) {
    CompletableFuture<GroupReply> answer = new CompletableFuture<>();
    coordinator.ask(0, event, answer::complete);
    return answer.thenApply(reply -> deleted(caller, what, validateOnly, reply));
  }

  private Result<List<CommittedPartition>> deleted(
      Caller caller, String what, boolean validateOnly, GroupReply reply) {
    return switch (GroupAudit.result(reply)) {
      case Result.Refused<GroupResult>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<GroupResult>(GroupResult.OffsetsSet set) -> {
        List<CommittedPartition> deleted = committed(set);
        if (!validateOnly) {
          GroupAudit.log(
              caller,
              what,
              deleted.stream()
                  .map(one -> one.topic() + "-" + one.partition() + " at " + one.offset())
                  .toList());
        }
        yield Result.done(deleted);
      }
      case Result.Done<GroupResult>(GroupResult other) ->
          throw new IllegalStateException("a deletion is answered " + other);
    };
  }

  private List<CommittedPartition> committed(GroupResult.OffsetsSet set) {
    return set.previous().stream()
        .flatMap(
            one -> {
              Optional<String> topic = topics.nameOf(one.partition().topicId());
              return one.commit()
                  .map(
                      commit ->
                          Stream.of(
                              new CommittedPartition(
                                  topic.orElseGet(() -> one.partition().topicId().toString()),
                                  one.partition().partition(),
                                  commit.offset(),
                                  commit.metadata())))
                  .orElseGet(Stream::empty);
            })
        .sorted(
            Comparator.comparing(CommittedPartition::topic)
                .thenComparing(CommittedPartition::partition))
        .toList();
  }
}
