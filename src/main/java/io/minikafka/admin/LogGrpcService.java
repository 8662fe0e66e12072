package io.minikafka.admin;

import com.google.protobuf.util.Timestamps;
import io.minikafka.Caller;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogService;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceAppendResponse;
import io.minikafka.admin.v1.LogServiceFlushRequest;
import io.minikafka.admin.v1.LogServiceFlushResponse;
import io.minikafka.admin.v1.LogServiceListSegmentsRequest;
import io.minikafka.admin.v1.LogServiceListSegmentsResponse;
import io.minikafka.admin.v1.LogServiceRepairPartitionRequest;
import io.minikafka.admin.v1.LogServiceRepairPartitionResponse;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.broker.AppendedRecord;
import io.minikafka.broker.LogAdministration;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.minikafka.broker.SegmentPage;
import io.minikafka.broker.Tail;
import io.minikafka.partition.Durability;
import io.minikafka.topic.Outcome;
import io.quarkus.grpc.GrpcService;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * {@code minikafka.admin.v1.LogService}: takes requests apart, asks the broker, puts answers
 * together.
 *
 * <p>Entered on event loops, except where all topics may be walked. A call that is cancelled, or
 * whose deadline has passed, withdraws what it asked for if that has not begun.
 */
@GrpcService
public class LogGrpcService implements LogService {
  private final Calls calls;

  LogGrpcService(BrokerAccess broker) {
    this.calls = new Calls("LogService", broker);
  }

  @Override
  public Uni<LogServiceListSegmentsResponse> listSegments(LogServiceListSegmentsRequest request) {
    PageToken page =
        PageToken.of("LogService.ListSegments", request.getTopic(), request.getPartition());
    return ask(
        (logs, caller) ->
            switch (page.number(request.getPageToken())) {
              case Outcome.Refused<Long>(var error) -> refused(Refusal.of(error));
              case Outcome.Done<Long>(Long from) ->
                  logs.segments(
                      caller,
                      request.getTopic(),
                      request.getPartition(),
                      request.getPageSize(),
                      from);
            },
        (SegmentPage segments) ->
            LogServiceListSegmentsResponse.newBuilder()
                .addAllSegments(segments.segments().stream().map(LogMessages::segment).toList())
                .setNextPageToken(page.after(segments.next()))
                .build());
  }

  @Override
  public Uni<LogServiceAppendResponse> append(LogServiceAppendRequest request) {
    return ask(
        (logs, caller) -> append(logs, caller, request),
        records ->
            LogServiceAppendResponse.newBuilder()
                .addAllRecords(records.stream().map(LogMessages::appended).toList())
                .build());
  }

  private static CompletableFuture<Result<List<AppendedRecord>>> append(
      LogAdministration logs, Caller caller, LogServiceAppendRequest request) {
    Optional<Durability> wanted = LogMessages.durability(request.getDurability());
    if (wanted.isEmpty()) {
      return refused(
          Refusal.invalid(
              "durability",
              "durability is %d, must be 0 to 2".formatted(request.getDurabilityValue())));
    }
    for (AppendRecord appended : request.getRecordsList()) {
      if (appended.hasTimestamp() && !Timestamps.isValid(appended.getTimestamp())) {
        return refused(
            Refusal.invalid(
                "records.timestamp",
                "timestamp of %d s and %d ns must lie in the years 1 to 9999"
                    .formatted(
                        appended.getTimestamp().getSeconds(), appended.getTimestamp().getNanos())));
      }
    }
    return logs.append(
        caller,
        request.getTopic(),
        request.hasPartition() ? OptionalInt.of(request.getPartition()) : OptionalInt.empty(),
        request.getRecordsList().stream().map(LogMessages::added).toList(),
        wanted.get(),
        request.getValidateOnly());
  }

  @Override
  @Blocking
  public Uni<LogServiceFlushResponse> flush(LogServiceFlushRequest request) {
    return ask(
        (logs, caller) ->
            logs.flush(
                caller,
                request.getTopic(),
                request.hasPartition()
                    ? OptionalInt.of(request.getPartition())
                    : OptionalInt.empty()),
        partitions ->
            LogServiceFlushResponse.newBuilder()
                .addAllPartitions(partitions.stream().map(LogMessages::flushed).toList())
                .build());
  }

  @Override
  @Blocking
  public Multi<LogServiceVerifyResponse> verify(LogServiceVerifyRequest request) {
    return calls.stream(
        (controls, caller) ->
            controls
                .logs()
                .verify(
                    caller,
                    request.getTopic(),
                    request.hasPartition()
                        ? OptionalInt.of(request.getPartition())
                        : OptionalInt.empty()),
        field -> field,
        LogMessages::verified);
  }

  @Override
  public Uni<LogServiceRepairPartitionResponse> repairPartition(
      LogServiceRepairPartitionRequest request) {
    return ask(
        (logs, caller) ->
            LogMessages.action(request.getAction())
                .map(
                    action ->
                        logs.repair(
                            caller,
                            request.getTopic(),
                            request.getPartition(),
                            action,
                            request.getOffset(),
                            request.getValidateOnly()))
                .orElseGet(
                    () ->
                        refused(
                            Refusal.invalid(
                                "action",
                                "action is %d, must be 1 (skip) or 2 (cut)"
                                    .formatted(request.getActionValue())))),
        LogMessages::repaired);
  }

  @Override
  public Multi<LogServiceTailResponse> tail(LogServiceTailRequest request) {
    int maxBytes = TailMessages.payloadBytes(request);
    return calls.stream(
        (controls, caller) ->
            switch (TailMessages.tail(request)) {
              case Result.Refused<Tail>(Refusal refusal) -> Result.refused(refusal);
              case Result.Done<Tail>(Tail tail) ->
                  controls.logs().tail(caller, request.getTopic(), request.getPartition(), tail);
            },
        field -> field,
        item -> TailMessages.item(item, maxBytes));
  }

  private static <T> CompletableFuture<Result<T>> refused(Refusal refusal) {
    return CompletableFuture.completedFuture(Result.refused(refusal));
  }

  private <T, A> Uni<A> ask(
      BiFunction<LogAdministration, Caller, CompletableFuture<Result<T>>> question,
      Function<T, A> answer) {
    return calls.ask(
        (controls, caller) -> question.apply(controls.logs(), caller),
        Function.identity(),
        field -> field,
        answer);
  }
}
