package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.DamagedRange;
import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.Topic;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** What the topic commands print for programs. */
final class TopicJson {
  /** Of a topic that would be made. */
  private static final String NO_ID = new UUID(0, 0).toString();

  private TopicJson() {}

  static void topic(JsonGenerator json, Topic topic) throws IOException {
    json.writeStringField("topic", topic.getName());
    if (!topic.getId().equals(NO_ID)) {
      json.writeStringField("topicId", topic.getId());
    }
    json.writeNumberField("partitionCount", topic.getPartitionCount());
    json.writeBooleanField("internal", topic.getInternal());
  }

  static void settings(JsonGenerator json, List<Setting> settings) throws IOException {
    json.writeObjectFieldStart("settings");
    for (Setting setting : settings) {
      json.writeObjectFieldStart(setting.getKey());
      json.writeStringField("value", setting.getValue());
      json.writeStringField("source", source(setting));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  static String source(Setting setting) {
    return setting.getSource() == SettingSource.SETTING_SOURCE_TOPIC ? "topic" : "broker";
  }

  static void partitions(JsonGenerator json, List<Partition> partitions) throws IOException {
    json.writeArrayFieldStart("partitions");
    for (Partition partition : partitions) {
      json.writeStartObject();
      json.writeNumberField("partition", partition.getPartition());
      json.writeNumberField("epoch", partition.getEpoch());
      json.writeNumberField("logStartOffset", partition.getLogStartOffset());
      json.writeNumberField("durableOffset", partition.getDurableOffset());
      json.writeNumberField("highWatermark", partition.getHighWatermark());
      json.writeNumberField("logEndOffset", partition.getLogEndOffset());
      if (partition.hasSizeBytes()) {
        json.writeNumberField("sizeBytes", partition.getSizeBytes());
      }
      if (partition.hasSegmentCount()) {
        json.writeNumberField("segmentCount", partition.getSegmentCount());
      }
      if (!partition.getOfflineReason().isEmpty()) {
        json.writeStringField("offlineReason", partition.getOfflineReason());
      }
      if (partition.getDamagedRangeCount() > 0) {
        json.writeNumberField("damagedRangeCount", partition.getDamagedRangeCount());
        json.writeArrayFieldStart("damage");
        for (DamagedRange range : partition.getDamageList()) {
          json.writeStartObject();
          LogText.damage(json, range);
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
