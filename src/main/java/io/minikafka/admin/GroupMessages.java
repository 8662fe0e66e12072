package io.minikafka.admin;

import io.minikafka.TopicPartition;
import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.GroupServiceWatchLagResponse;
import io.minikafka.admin.v1.Member;
import io.minikafka.admin.v1.MemberState;
import io.minikafka.admin.v1.OwnedPartition;
import io.minikafka.admin.v1.PartitionRef;
import io.minikafka.broker.GroupLag;
import io.minikafka.broker.GroupReport;
import io.minikafka.broker.LagReport;
import io.minikafka.broker.MemberDescription;
import io.minikafka.broker.PartitionLag;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupSummary;
import io.minikafka.group.Rebalance;
import java.time.Duration;
import java.time.Instant;

/** How groups are, as messages. Stateless. */
final class GroupMessages {
  private GroupMessages() {}

  static Group group(GroupLag lag) {
    GroupSummary summary = lag.summary();
    Group.Builder message =
        Group.newBuilder()
            .setName(summary.group())
            .setState(GroupChangeMessages.state(summary.state()))
            .setGeneration(summary.generation())
            .setAssignor(summary.assignor())
            .setMemberCount(summary.members())
            .setCommittedPartitionCount(summary.commits())
            .setTotalLagRecords(lag.totalRecords())
            .setUnknownLagPartitionCount(lag.unknown());
    lag.maxMs().ifPresent(ms -> message.setMaxLagTime(duration(ms)));
    return message.build();
  }

  static GroupServiceDescribeResponse described(GroupReport report) {
    return GroupServiceDescribeResponse.newBuilder()
        .setGroup(group(report.lag()))
        .addAllMembers(report.members().stream().map(GroupMessages::member).toList())
        .addAllPartitions(report.lag().partitions().stream().map(GroupMessages::lag).toList())
        .addAllRebalances(report.rebalances().stream().map(GroupMessages::rebalance).toList())
        .build();
  }

  static GroupServiceWatchLagResponse watched(LagReport report) {
    return GroupServiceWatchLagResponse.newBuilder()
        .setAt(GroupChangeMessages.timestamp(report.at()))
        .addAllGroups(
            report.groups().stream()
                .map(
                    one ->
                        io.minikafka.admin.v1.GroupLag.newBuilder()
                            .setGroup(group(one))
                            .addAllPartitions(
                                one.partitions().stream()
                                    .map(partition -> watched(lag(partition)))
                                    .toList())
                            .build())
                .toList())
        .setMore(report.more())
        .build();
  }

  /** It is up to 4 KiB a partition, and does not tell how far a group is. */
  private static io.minikafka.admin.v1.PartitionLag watched(
      io.minikafka.admin.v1.PartitionLag lag) {
    return lag.toBuilder().clearMetadata().build();
  }

  private static Member member(MemberDescription member) {
    MemberView view = member.view();
    return Member.newBuilder()
        .setId(view.member())
        .setInstanceId(view.instance())
        .setClientId(member.clientId())
        .setHost(member.host())
        .setState(
            switch (view.state()) {
              case LIVE -> MemberState.MEMBER_STATE_LIVE;
              case AWAY -> MemberState.MEMBER_STATE_AWAY;
              case GONE -> MemberState.MEMBER_STATE_GONE;
            })
        .setProtocolVersion(view.version())
        .setSessionTimeout(duration(view.sessionMs()))
        .setRebalanceTimeout(duration(view.rebalanceMs()))
        .setSessionAge(duration(view.sessionAgeMs()))
        .addAllTopics(view.topics())
        .addAllOwned(member.owned().stream().map(GroupMessages::owned).toList())
        .addAllPending(member.pending().stream().map(GroupMessages::partition).toList())
        .build();
  }

  private static OwnedPartition owned(MemberDescription.Owned owned) {
    OwnedPartition.Builder message =
        OwnedPartition.newBuilder()
            .setTopic(owned.partition().topic())
            .setPartition(owned.partition().partition())
            .setGrant(owned.grant());
    owned.letGoInMs().ifPresent(ms -> message.setLetGoWithin(duration(ms)));
    return message.build();
  }

  private static PartitionRef partition(TopicPartition partition) {
    return PartitionRef.newBuilder()
        .setTopic(partition.topic())
        .setPartition(partition.partition())
        .build();
  }

  private static io.minikafka.admin.v1.PartitionLag lag(PartitionLag lag) {
    io.minikafka.admin.v1.PartitionLag.Builder message =
        io.minikafka.admin.v1.PartitionLag.newBuilder()
            .setTopic(lag.partition().topic())
            .setPartition(lag.partition().partition())
            .setOwner(lag.owner())
            .setLogStartOffset(lag.logStart())
            .setHighWatermark(lag.highWatermark())
            .setDeletedUnreadRecords(lag.deletedUnread())
            .setOfflineReason(lag.offline());
    lag.commit()
        .ifPresent(
            commit ->
                message
                    .setCommittedOffset(commit.offset())
                    .setCommittedAt(
                        GroupChangeMessages.timestamp(Instant.ofEpochMilli(commit.committedAtMs())))
                    .setMetadata(commit.metadata()));
    lag.lagRecords().ifPresent(message::setLagRecords);
    lag.lagMs().ifPresent(ms -> message.setLagTime(duration(ms)));
    lag.deletionInMs().ifPresent(ms -> message.setTimeUntilDeletion(duration(ms)));
    lag.deletionInBytes().ifPresent(message::setBytesUntilDeletion);
    return message.build();
  }

  private static io.minikafka.admin.v1.Rebalance rebalance(Rebalance rebalance) {
    io.minikafka.admin.v1.Rebalance.Builder message =
        io.minikafka.admin.v1.Rebalance.newBuilder()
            .setGeneration(rebalance.generation())
            .setStartedAt(
                GroupChangeMessages.timestamp(Instant.ofEpochMilli(rebalance.startedAtMs())))
            .addAllReasons(rebalance.reasons())
            .setMemberCount(rebalance.members())
            .setMovedPartitionCount(rebalance.partitionsMoved())
            .setSuperseded(rebalance.superseded());
    rebalance.durationMs().ifPresent(ms -> message.setDuration(duration(ms)));
    return message.build();
  }

  /**
   * What was sent; the nearest whole second where seconds and nanoseconds are beyond all of them.
   */
  static Duration duration(com.google.protobuf.Duration sent) {
    try {
      return Duration.ofSeconds(sent.getSeconds(), sent.getNanos());
    } catch (ArithmeticException e) {
      return Duration.ofSeconds(sent.getSeconds());
    }
  }

  private static com.google.protobuf.Duration duration(long ms) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(ms / 1_000)
        .setNanos((int) (ms % 1_000) * 1_000_000)
        .build();
  }
}
