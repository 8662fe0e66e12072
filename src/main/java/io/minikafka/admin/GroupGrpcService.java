package io.minikafka.admin;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
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
import io.quarkus.grpc.GrpcService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * {@code minikafka.admin.v1.GroupService}: takes requests apart, asks the broker, puts answers
 * together. Entered on event loops.
 */
@GrpcService
public class GroupGrpcService implements GroupService {

  @Override
  public Uni<GroupServiceListResponse> list(GroupServiceListRequest request) {
    return Uni.createFrom().failure(notYet("List"));
  }

  @Override
  public Uni<GroupServiceDescribeResponse> describe(GroupServiceDescribeRequest request) {
    return Uni.createFrom().failure(notYet("Describe"));
  }

  @Override
  public Uni<GroupServiceDeleteResponse> delete(GroupServiceDeleteRequest request) {
    return Uni.createFrom().failure(notYet("Delete"));
  }

  @Override
  public Uni<GroupServiceDeleteOffsetsResponse> deleteOffsets(
      GroupServiceDeleteOffsetsRequest request) {
    return Uni.createFrom().failure(notYet("DeleteOffsets"));
  }

  @Override
  public Uni<GroupServicePlanOffsetResetResponse> planOffsetReset(
      GroupServicePlanOffsetResetRequest request) {
    return Uni.createFrom().failure(notYet("PlanOffsetReset"));
  }

  @Override
  public Uni<GroupServiceApplyOffsetResetResponse> applyOffsetReset(
      GroupServiceApplyOffsetResetRequest request) {
    return Uni.createFrom().failure(notYet("ApplyOffsetReset"));
  }

  @Override
  public Uni<GroupServiceUndoOffsetResetResponse> undoOffsetReset(
      GroupServiceUndoOffsetResetRequest request) {
    return Uni.createFrom().failure(notYet("UndoOffsetReset"));
  }

  @Override
  public Multi<GroupServiceWatchLagResponse> watchLag(GroupServiceWatchLagRequest request) {
    return Multi.createFrom().failure(notYet("WatchLag"));
  }

  private static StatusRuntimeException notYet(String method) {
    return Status.UNIMPLEMENTED.withDescription(method + " is not there yet").asRuntimeException();
  }
}
