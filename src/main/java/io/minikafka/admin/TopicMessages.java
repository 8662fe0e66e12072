package io.minikafka.admin;

import io.minikafka.admin.v1.DeleteRecordsResult;
import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.broker.LogStart;
import io.minikafka.broker.PartitionDescription;
import io.minikafka.broker.TopicDescription;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicSettings.InForce;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the broker says about topics, as messages. Stateless. */
final class TopicMessages {
  /** Of one partition; ListSegments has them all. */
  private static final int MAX_RANGES = 100;

  private TopicMessages() {}

  static Topic topic(TopicEntry entry) {
    return Topic.newBuilder()
        .setName(entry.name())
        .setId(entry.id().toString())
        .setPartitionCount(entry.partitions())
        .setInternal(entry.isInternal())
        .build();
  }

  static List<Setting> settings(TopicDescription description) {
    return description.settings().stream().map(TopicMessages::setting).toList();
  }

  private static Setting setting(InForce setting) {
    return Setting.newBuilder()
        .setKey(setting.key().key())
        .setValue(setting.value())
        .setSource(
            switch (setting.source()) {
              case TOPIC -> SettingSource.SETTING_SOURCE_TOPIC;
              case BROKER_DEFAULT -> SettingSource.SETTING_SOURCE_BROKER_DEFAULT;
            })
        .setAllowed(setting.key().bounds())
        .setDescription(setting.key().doc())
        .build();
  }

  static List<Partition> partitions(TopicDescription description) {
    return description.partitions().stream().map(TopicMessages::partition).toList();
  }

  private static Partition partition(PartitionDescription partition) {
    Partition.Builder message =
        Partition.newBuilder()
            .setPartition(partition.partition())
            .setEpoch(partition.epoch())
            .setLogStartOffset(partition.logStart())
            .setHighWatermark(partition.highWatermark())
            .setDurableOffset(partition.durable())
            .setLogEndOffset(partition.logEnd())
            .setOfflineReason(partition.offline());
    message.setDamagedRangeCount(partition.damage().size());
    partition.damage().stream()
        .limit(MAX_RANGES)
        .forEach(range -> message.addDamage(LogMessages.range(range)));
    partition
        .stats()
        .ifPresent(stats -> message.setSizeBytes(stats.bytes()).setSegmentCount(stats.segments()));
    return message.build();
  }

  static DeleteRecordsResult result(LogStart start) {
    return DeleteRecordsResult.newBuilder()
        .setPartition(start.partition())
        .setLogStartOffset(start.offset())
        .build();
  }

  static List<SettingChange> changes(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> SettingChange.set(setting.getKey(), setting.getValue()))
        .toList();
  }

  static List<SettingChange> changes(TopicServiceUpdateConfigRequest request) {
    return Stream.concat(
            changes(request.getSetMap()).stream(),
            request.getResetList().stream().map(SettingChange::reset))
        .toList();
  }
}
