package io.minikafka.admin;

import io.minikafka.Caller;
import io.minikafka.admin.v1.GroupService;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsRequest;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsResponse;
import io.minikafka.admin.v1.GroupServiceDeleteRequest;
import io.minikafka.admin.v1.GroupServiceDeleteResponse;
import io.minikafka.admin.v1.GroupServiceDescribeRequest;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.GroupServiceListResponse;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.GroupServiceWatchLagResponse;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.minikafka.topic.Outcome;
import io.quarkus.grpc.GrpcService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * {@code minikafka.admin.v1.GroupService}: takes requests apart, asks the broker, puts answers
 * together. Entered on event loops.
 */
@GrpcService
public class GroupGrpcService implements GroupService {
  private static final PageToken LIST = PageToken.of("GroupService.List");

  private final Calls calls;

  GroupGrpcService(BrokerAccess broker) {
    this.calls = new Calls("GroupService", broker);
  }

  @Override
  public Uni<GroupServiceListResponse> list(GroupServiceListRequest request) {
    return ask(
        (controls, caller) ->
            switch (LIST.name(request.getPageToken())) {
              case Outcome.Refused<String>(var error) ->
                  CompletableFuture.completedFuture(Result.refused(Refusal.of(error)));
              case Outcome.Done<String>(String after) ->
                  controls.groups().list(caller, request.getPageSize(), after);
            },
        page ->
            GroupServiceListResponse.newBuilder()
                .addAllGroups(page.groups().stream().map(GroupMessages::group).toList())
                .setNextPageToken(LIST.after(page.next()))
                .build());
  }

  @Override
  public Uni<GroupServiceDescribeResponse> describe(GroupServiceDescribeRequest request) {
    return ask(
        (controls, caller) -> controls.groups().describe(caller, request.getGroup()),
        GroupMessages::described);
  }

  @Override
  public Uni<GroupServiceDeleteResponse> delete(GroupServiceDeleteRequest request) {
    return ask(
        (controls, caller) ->
            controls.deletions().group(caller, request.getGroup(), request.getValidateOnly()),
        deleted ->
            GroupServiceDeleteResponse.newBuilder()
                .addAllOffsets(GroupChangeMessages.committed(deleted))
                .build());
  }

  @Override
  public Uni<GroupServiceDeleteOffsetsResponse> deleteOffsets(
      GroupServiceDeleteOffsetsRequest request) {
    return ask(
        (controls, caller) ->
            controls
                .deletions()
                .offsets(
                    caller,
                    request.getGroup(),
                    GroupChangeMessages.selections(request.getPartitionsList()),
                    request.getValidateOnly()),
        deleted ->
            GroupServiceDeleteOffsetsResponse.newBuilder()
                .addAllOffsets(GroupChangeMessages.committed(deleted))
                .build());
  }

  @Override
  public Uni<GroupServicePlanOffsetResetResponse> planOffsetReset(
      GroupServicePlanOffsetResetRequest request) {
    return ask(
        (controls, caller) ->
            controls
                .resets()
                .plan(
                    caller,
                    request.getGroup(),
                    GroupChangeMessages.selections(request.getPartitionsList()),
                    GroupChangeMessages.target(request)),
        GroupChangeMessages::plan);
  }

  @Override
  public Uni<GroupServiceApplyOffsetResetResponse> applyOffsetReset(
      GroupServiceApplyOffsetResetRequest request) {
    return ask(
        (controls, caller) ->
            controls
                .resets()
                .apply(caller, request.getToken(), request.getForce(), request.getValidateOnly()),
        GroupChangeMessages::applied);
  }

  @Override
  public Uni<GroupServiceUndoOffsetResetResponse> undoOffsetReset(
      GroupServiceUndoOffsetResetRequest request) {
    return ask(
        (controls, caller) ->
            controls
                .resets()
                .undo(caller, request.getGroup(), request.getForce(), request.getValidateOnly()),
        GroupChangeMessages::undone);
  }

  @Override
  public Multi<GroupServiceWatchLagResponse> watchLag(GroupServiceWatchLagRequest request) {
    return calls.stream(
        (controls, caller) ->
            controls
                .groups()
                .watch(
                    caller,
                    request.getGroupsList(),
                    request.hasInterval()
                        ? Optional.of(GroupMessages.duration(request.getInterval()))
                        : Optional.empty()),
        UnaryOperator.identity(),
        GroupMessages::watched);
  }

  private <T, A> Uni<A> ask(
      BiFunction<ControlPlane, Caller, CompletableFuture<Result<T>>> question,
      Function<T, A> answer) {
    return calls.ask(question, Function.identity(), UnaryOperator.identity(), answer);
  }
}
