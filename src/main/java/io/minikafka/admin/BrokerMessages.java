package io.minikafka.admin;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.Broker;
import io.minikafka.admin.v1.BrokerCounts;
import io.minikafka.admin.v1.BrokerDisk;
import io.minikafka.admin.v1.BrokerServiceDescribeResponse;
import io.minikafka.admin.v1.BrokerSetting;
import io.minikafka.admin.v1.BrokerSettingSource;
import io.minikafka.admin.v1.BrokerStart;
import io.minikafka.admin.v1.Connection;
import io.minikafka.admin.v1.GroupsState;
import io.minikafka.broker.BrokerDescription;
import io.minikafka.broker.BrokerFacts;
import io.minikafka.broker.ConnectionDescription;
import io.minikafka.broker.DiskUse;
import io.minikafka.coordinator.Status;
import io.minikafka.protocol.Metadata;
import java.time.Instant;

/** What the broker says about itself, as messages. Stateless. */
final class BrokerMessages {
  private BrokerMessages() {}

  static BrokerServiceDescribeResponse description(BrokerDescription told) {
    return BrokerServiceDescribeResponse.newBuilder()
        .setBroker(broker(told))
        .setStart(start(told.facts().start()))
        .setFlushPolicy(told.facts().flushPolicy().text())
        .addAllChangedSettings(
            told.facts().changed().stream().map(BrokerMessages::setting).toList())
        .setDisk(disk(told.disk()))
        .setCounts(counts(told.counts()))
        .setGroups(groups(told.groups()))
        .build();
  }

  private static Broker broker(BrokerDescription told) {
    BrokerFacts facts = told.facts();
    Metadata.Node node = facts.identity().node().get();
    return Broker.newBuilder()
        .setNodeId(node.node())
        .setClusterId(facts.identity().clusterId())
        .setVersion(facts.identity().version())
        .setJavaVersion(facts.javaVersion())
        .setAddress(node.host() + ":" + node.port())
        .setStartedAt(timestamp(facts.startedAt()))
        .setUptime(duration(told.uptime()))
        .build();
  }

  private static BrokerStart start(BrokerFacts.Start start) {
    return BrokerStart.newBuilder()
        .setDuration(duration(java.time.Duration.ofNanos(start.nanos())))
        .setRecoveryDuration(duration(java.time.Duration.ofNanos(start.recoveryNanos())))
        .setTopicCount(start.topics())
        .setPartitionCount(start.partitions())
        .setCheckedBytes(start.checkedBytes())
        .setCutBytes(start.cutBytes())
        .setDamagedRangeCount(start.damagedRanges())
        .setOfflinePartitionCount(start.offline())
        .build();
  }

  private static BrokerSetting setting(BrokerFacts.ChangedSetting setting) {
    return BrokerSetting.newBuilder()
        .setKey(setting.key())
        .setValue(setting.value())
        .setDefaultValue(setting.byDefault())
        .setSource(
            switch (setting.source()) {
              case COMMAND_LINE -> BrokerSettingSource.BROKER_SETTING_SOURCE_COMMAND_LINE;
              case ENVIRONMENT -> BrokerSettingSource.BROKER_SETTING_SOURCE_ENVIRONMENT;
              case FILE -> BrokerSettingSource.BROKER_SETTING_SOURCE_FILE;
            })
        .setFile(setting.file())
        .build();
  }

  private static BrokerDisk disk(DiskUse use) {
    BrokerDisk.Builder disk =
        BrokerDisk.newBuilder()
            .setDataDirectory(use.directory())
            .setLogBytes(use.logBytes())
            .setUnflushedBytes(use.unflushedBytes())
            .setUnflushedLimitBytes(use.unflushedLimitBytes())
            .setPinnedBytes(use.pinnedBytes());
    use.fileSystemBytes().ifPresent(disk::setFileSystemBytes);
    use.usableBytes().ifPresent(disk::setUsableBytes);
    return disk.build();
  }

  private static BrokerCounts counts(BrokerDescription.Counts counted) {
    BrokerCounts.Builder counts =
        BrokerCounts.newBuilder()
            .setTopics(counted.topics())
            .setPartitions(counted.partitions())
            .setOfflinePartitions(counted.offline())
            .setConnections(counted.connections())
            .setConnectionLimit(counted.connectionLimit())
            .setHttpConnections(counted.http().connections())
            .setHttpConnectionLimit(counted.http().limit());
    counted.groups().ifPresent(counts::setGroups);
    return counts.build();
  }

  private static GroupsState groups(Status status) {
    return switch (status) {
      case Status.Serving(Status.Loaded loaded) ->
          GroupsState.newBuilder()
              .setServed(true)
              .setLoadDuration(duration(java.time.Duration.ofNanos(loaded.nanos())))
              .setLoadedRecords(loaded.records())
              .setDamagedRangeCount(loaded.missing().size())
              .build();
      case Status.Loading l -> unserved("the offsets log is read");
      case Status.Unavailable(String reason) -> unserved(reason);
      case Status.Stopped s -> unserved("they have stopped");
    };
  }

  private static GroupsState unserved(String reason) {
    return GroupsState.newBuilder().setReason(reason).build();
  }

  static Connection connection(ConnectionDescription told) {
    Connection.Builder connection =
        Connection.newBuilder()
            .setId(told.id())
            .setClientName(told.clientName())
            .setPeer(told.peer())
            .setOpenedAt(timestamp(told.openedAt()))
            .setRequestCount(told.requests())
            .setReceivedBytes(told.receivedBytes())
            .setSentBytes(told.sentBytes())
            .setRequestsInFlight(told.inFlight())
            .setRequestsParked(told.parked())
            .setHeld(told.held());
    told.version().ifPresent(connection::setProtocolVersion);
    told.member().ifPresent(member -> connection.setGroup(member.group()).setMemberId(member.id()));
    return connection.build();
  }

  private static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }

  private static Duration duration(java.time.Duration length) {
    return Duration.newBuilder().setSeconds(length.getSeconds()).setNanos(length.getNano()).build();
  }
}
