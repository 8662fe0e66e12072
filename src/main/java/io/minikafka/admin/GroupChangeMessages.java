package io.minikafka.admin;

import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetResponse;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetResponse;
import io.minikafka.admin.v1.GroupState;
import io.minikafka.admin.v1.OffsetClamp;
import io.minikafka.admin.v1.TopicPartitions;
import io.minikafka.broker.AppliedReset;
import io.minikafka.broker.CommittedPartition;
import io.minikafka.broker.OffsetPlan;
import io.minikafka.broker.PartitionOffset;
import io.minikafka.broker.PartitionReset;
import io.minikafka.broker.PartitionSelection;
import io.minikafka.broker.ResetTarget;
import io.minikafka.broker.UndoneReset;
import io.minikafka.group.GroupSummary;
import java.time.Instant;
import java.util.List;

/** Changes of groups and of their offsets, as messages. Stateless. */
final class GroupChangeMessages {
  private GroupChangeMessages() {}

  static List<PartitionSelection> selections(List<TopicPartitions> partitions) {
    return partitions.stream()
        .map(one -> new PartitionSelection(one.getTopic(), one.getPartitionsList()))
        .toList();
  }

  static ResetTarget target(GroupServicePlanOffsetResetRequest request) {
    return switch (request.getTargetCase()) {
      case EARLIEST -> new ResetTarget.Earliest();
      case LATEST -> new ResetTarget.Latest();
      case OFFSET -> new ResetTarget.Offset(request.getOffset());
      case TIMESTAMP ->
          new ResetTarget.Time(
              request.getTimestamp().getSeconds(), request.getTimestamp().getNanos());
      case DURATION ->
          new ResetTarget.Ago(request.getDuration().getSeconds(), request.getDuration().getNanos());
      case SHIFT -> new ResetTarget.Shift(request.getShift());
      case FROM_GROUP -> new ResetTarget.FromGroup(request.getFromGroup());
      case OFFSETS ->
          new ResetTarget.Offsets(
              request.getOffsets().getOffsetsList().stream()
                  .map(
                      one ->
                          new PartitionOffset(one.getTopic(), one.getPartition(), one.getOffset()))
                  .toList());
      case TARGET_NOT_SET -> new ResetTarget.None();
    };
  }

  static GroupServicePlanOffsetResetResponse plan(OffsetPlan plan) {
    return GroupServicePlanOffsetResetResponse.newBuilder()
        .setToken(plan.token())
        .setExpiresAt(timestamp(plan.expiresAt()))
        .setState(state(plan.state()))
        .addAllMembers(plan.members())
        .addAllPartitions(resets(plan.partitions()))
        .addAllWarnings(plan.warnings())
        .build();
  }

  static GroupServiceApplyOffsetResetResponse applied(AppliedReset reset) {
    return GroupServiceApplyOffsetResetResponse.newBuilder()
        .setGroup(reset.group())
        .setGeneration(reset.generation())
        .addAllPartitions(resets(reset.partitions()))
        .setChangedPartitionCount(reset.changed())
        .build();
  }

  static GroupServiceUndoOffsetResetResponse undone(UndoneReset reset) {
    return GroupServiceUndoOffsetResetResponse.newBuilder()
        .setGeneration(reset.generation())
        .setResetAt(timestamp(reset.resetAt()))
        .addAllPartitions(resets(reset.partitions()))
        .setGroupGone(reset.groupGone())
        .build();
  }

  static List<io.minikafka.admin.v1.CommittedPartition> committed(
      List<CommittedPartition> offsets) {
    return offsets.stream()
        .map(
            one ->
                io.minikafka.admin.v1.CommittedPartition.newBuilder()
                    .setTopic(one.topic())
                    .setPartition(one.partition())
                    .setOffset(one.offset())
                    .setMetadata(one.metadata())
                    .build())
        .toList();
  }

  private static List<io.minikafka.admin.v1.PartitionReset> resets(List<PartitionReset> resets) {
    return resets.stream().map(GroupChangeMessages::reset).toList();
  }

  private static io.minikafka.admin.v1.PartitionReset reset(PartitionReset reset) {
    io.minikafka.admin.v1.PartitionReset.Builder message =
        io.minikafka.admin.v1.PartitionReset.newBuilder()
            .setTopic(reset.topic())
            .setPartition(reset.partition())
            .setReplayedRecords(reset.replayed())
            .setSkippedRecords(reset.skipped())
            .setClamp(
                switch (reset.clamp()) {
                  case NONE -> OffsetClamp.OFFSET_CLAMP_UNSPECIFIED;
                  case TO_LOG_START -> OffsetClamp.OFFSET_CLAMP_TO_LOG_START;
                  case TO_END -> OffsetClamp.OFFSET_CLAMP_TO_END;
                })
            .addAllWarnings(reset.warnings());
    reset.oldOffset().ifPresent(message::setOldOffset);
    reset.newOffset().ifPresent(message::setNewOffset);
    return message.build();
  }

  static GroupState state(GroupSummary.State state) {
    return switch (state) {
      case EMPTY -> GroupState.GROUP_STATE_EMPTY;
      case STABLE -> GroupState.GROUP_STATE_STABLE;
      case REBALANCING -> GroupState.GROUP_STATE_REBALANCING;
    };
  }

  static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }
}
