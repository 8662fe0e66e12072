package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.PartitionId;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupEvent.CommitPart;
import io.minikafka.group.GroupResult;
import io.minikafka.group.GroupResult.FetchedOffset;
import io.minikafka.group.GroupResult.PartOutcome;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.OffsetCommit;
import io.minikafka.protocol.OffsetFetch;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * APIs 6 and 7: how far a group has read. Any thread; never blocks. The rules are the
 * coordinator's; here they are only put into words of the protocol.
 */
final class CommitHandler {
  private static final int COMMIT_ANSWER_BYTES = 16 + 4 + 2;

  /** Without metadata. */
  private static final int FETCH_ANSWER_BYTES = 16 + 4 + 1 + 8 + 4 + 8 + 4;

  private final Coordinator coordinator;
  private final BrokerLimits limits;

  CommitHandler(Coordinator coordinator, BrokerLimits limits) {
    this.coordinator = coordinator;
    this.limits = limits;
  }

  void commitVersion0(
      Caller caller,
      OffsetCommit.RequestV0 request,
      Session session,
      Consumer<Reply<OffsetCommit.ResponseV0>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Commit0(
                ticket,
                caller.connection(),
                request.group(),
                request.member(),
                request.generation(),
                request.topic(),
                request.partition(),
                request.offset(),
                coordinator.logEnds()),
        done,
        result -> Reply.answer(new OffsetCommit.ResponseV0()));
  }

  void commit(
      Caller caller,
      OffsetCommit.Request request,
      Session session,
      Consumer<Reply<OffsetCommit.Response>> done) {
    if (tooMany(request.partitions().size(), COMMIT_ANSWER_BYTES, done)) {
      return;
    }
    List<CommitPart> parts =
        request.partitions().stream()
            .map(
                part ->
                    new CommitPart(
                        new PartitionId(part.topic(), part.partition()),
                        part.grant(),
                        part.offset(),
                        part.epoch(),
                        part.metadata()))
            .toList();
    ask(
        session,
        ticket ->
            new GroupEvent.Commit(
                ticket,
                caller.connection(),
                request.group(),
                request.member(),
                parts,
                coordinator.logEnds()),
        done,
        result -> {
          List<PartOutcome> outcomes = ((GroupResult.Committed) result).parts();
          return Reply.answer(
              new OffsetCommit.Response(outcomes.stream().map(CommitHandler::answer).toList()));
        });
  }

  private static OffsetCommit.Answer answer(PartOutcome outcome) {
    return new OffsetCommit.Answer(
        outcome.partition().topicId(),
        outcome.partition().partition(),
        outcome.error().map(GroupCall::code).orElse(ErrorCode.NONE).code());
  }

  void offsetVersion0(
      Caller caller,
      OffsetFetch.RequestV0 request,
      Session session,
      Consumer<Reply<OffsetFetch.ResponseV0>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.FetchOffset0(
                ticket, request.group(), request.topic(), request.partition()),
        done,
        result -> {
          Optional<CommittedOffset> commit =
              ((GroupResult.Offsets) result)
                  .offsets().stream().findFirst().flatMap(FetchedOffset::commit);
          return Reply.answer(
              new OffsetFetch.ResponseV0(
                  commit.isPresent(), commit.map(CommittedOffset::offset).orElse(0L)));
        });
  }

  void offsets(
      Caller caller,
      OffsetFetch.Request request,
      Session session,
      Consumer<Reply<OffsetFetch.Response>> done) {
    if (tooMany(request.partitions().size(), FETCH_ANSWER_BYTES, done)) {
      return;
    }
    ask(
        session,
        ticket -> new GroupEvent.FetchOffsets(ticket, request.group(), request.partitions()),
        done,
        result ->
            Reply.answer(
                new OffsetFetch.Response(
                    ((GroupResult.Offsets) result)
                        .offsets().stream().map(CommitHandler::answer).toList())));
  }

  private static OffsetFetch.Answer answer(FetchedOffset fetched) {
    PartitionId partition = fetched.partition();
    return fetched
        .commit()
        .map(
            commit ->
                new OffsetFetch.Answer(
                    partition.topicId(),
                    partition.partition(),
                    true,
                    commit.offset(),
                    commit.epoch(),
                    commit.committedAtMs(),
                    commit.metadata()))
        .orElseGet(
            () ->
                new OffsetFetch.Answer(
                    partition.topicId(), partition.partition(), false, 0, 0, 0, ""));
  }

  private <R> boolean tooMany(int partitions, int answerBytes, Consumer<Reply<R>> done) {
    int limit = limits.maxPartitions(answerBytes);
    if (partitions <= limit) {
      return false;
    }
    done.accept(
        Reply.failure(
            ErrorCode.LIMIT_REACHED,
            "%d partitions in one request; the limit is %d".formatted(partitions, limit)));
    return true;
  }

  private <R> void ask(
      Session session,
      LongFunction<GroupEvent> event,
      Consumer<Reply<R>> done,
      Function<GroupResult, Reply<R>> reply) {
    session.ask(event, new GroupCall<>(session, done, reply));
  }
}
