package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.minikafka.Counted;
import io.minikafka.admin.v1.Broker;
import io.minikafka.admin.v1.BrokerCounts;
import io.minikafka.admin.v1.BrokerDisk;
import io.minikafka.admin.v1.BrokerServiceDescribeResponse;
import io.minikafka.admin.v1.BrokerSetting;
import io.minikafka.admin.v1.BrokerStart;
import io.minikafka.admin.v1.GroupsState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/** What {@code broker info} prints. */
final class BrokerText {
  private BrokerText() {}

  static void print(BrokerServiceDescribeResponse told, PrintWriter out) {
    Table facts = new Table("BROKER", told.getBroker().getAddress());
    broker(facts, told);
    disk(facts, told.getDisk());
    counts(facts, told.getCounts());
    facts.row("groups", groups(told));
    facts.print(out);
    if (told.getChangedSettingsCount() > 0) {
      out.println();
      Table settings = new Table("CHANGED SETTING", "VALUE", "DEFAULT", "FROM");
      for (BrokerSetting one : told.getChangedSettingsList()) {
        settings.row(one.getKey(), one.getValue(), one.getDefaultValue(), source(one));
      }
      settings.print(out);
    }
  }

  private static void broker(Table facts, BrokerServiceDescribeResponse told) {
    Broker broker = told.getBroker();
    facts
        .row("node", "%d of %s".formatted(broker.getNodeId(), broker.getClusterId()))
        .row("version", "%s on %s".formatted(broker.getVersion(), broker.getJavaVersion()))
        .row(
            "started",
            "%s, up %s".formatted(instant(broker.getStartedAt()), seconds(broker.getUptime())))
        .row("start", start(told.getStart()))
        .row("flush policy", told.getFlushPolicy());
  }

  private static String start(BrokerStart start) {
    return "%s, of it %s recovery: %s with %s, %s checked, %s cut, %s, %d offline"
        .formatted(
            seconds(start.getDuration()),
            seconds(start.getRecoveryDuration()),
            Counted.of(start.getTopicCount(), "topic"),
            Counted.of(start.getPartitionCount(), "partition"),
            Sizes.inWords(start.getCheckedBytes()),
            Sizes.inWords(start.getCutBytes()),
            Counted.of(start.getDamagedRangeCount(), "damaged range"),
            start.getOfflinePartitionCount());
  }

  private static void disk(Table facts, BrokerDisk disk) {
    facts
        .row("data directory", disk.getDataDirectory())
        .row("log", Sizes.inWords(disk.getLogBytes()))
        .row(
            "unflushed",
            "%s of %s allowed"
                .formatted(
                    Sizes.inWords(disk.getUnflushedBytes()),
                    Sizes.inWords(disk.getUnflushedLimitBytes())))
        .row("pinned", Sizes.inWords(disk.getPinnedBytes()))
        .row(
            "file system",
            disk.hasUsableBytes()
                ? "%s of %s usable"
                    .formatted(
                        Sizes.inWords(disk.getUsableBytes()),
                        Sizes.inWords(disk.getFileSystemBytes()))
                : "unknown");
  }

  private static void counts(Table facts, BrokerCounts counts) {
    facts
        .row("topics", counts.getTopics())
        .row(
            "partitions",
            "%d, %d offline".formatted(counts.getPartitions(), counts.getOfflinePartitions()))
        .row(
            "connections",
            "%d of %d allowed".formatted(counts.getConnections(), counts.getConnectionLimit()))
        .row(
            "HTTP connections",
            "%d of %d allowed"
                .formatted(counts.getHttpConnections(), counts.getHttpConnectionLimit()));
  }

  private static String groups(BrokerServiceDescribeResponse told) {
    GroupsState groups = told.getGroups();
    if (!groups.getServed()) {
      return "not served: " + groups.getReason();
    }
    String count =
        told.getCounts().hasGroups() ? String.valueOf(told.getCounts().getGroups()) : "unknown";
    return groups.getDamagedRangeCount() == 0
        ? count
        : "%s, %s of the offsets log"
            .formatted(count, Counted.of(groups.getDamagedRangeCount(), "damaged range"));
  }

  private static String source(BrokerSetting setting) {
    return switch (setting.getSource()) {
      case BROKER_SETTING_SOURCE_COMMAND_LINE -> "flag or -D";
      case BROKER_SETTING_SOURCE_ENVIRONMENT -> "environment";
      case BROKER_SETTING_SOURCE_FILE -> setting.getFile();
      case BROKER_SETTING_SOURCE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  private static String instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos()).toString();
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f s", millis(duration) / 1e3);
  }

  private static long millis(Duration duration) {
    return duration.getSeconds() * 1_000 + duration.getNanos() / 1_000_000;
  }

  static void json(JsonGenerator json, BrokerServiceDescribeResponse told) throws IOException {
    Broker broker = told.getBroker();
    json.writeNumberField("nodeId", broker.getNodeId());
    json.writeStringField("clusterId", broker.getClusterId());
    json.writeStringField("version", broker.getVersion());
    json.writeStringField("javaVersion", broker.getJavaVersion());
    json.writeStringField("address", broker.getAddress());
    json.writeStringField("startedAt", instant(broker.getStartedAt()));
    json.writeNumberField("uptimeSeconds", GroupWords.seconds(broker.getUptime()));
    json.writeStringField("flushPolicy", told.getFlushPolicy());
    json.writeObjectFieldStart("start");
    BrokerStart start = told.getStart();
    json.writeNumberField("durationSeconds", GroupWords.seconds(start.getDuration()));
    json.writeNumberField(
        "recoveryDurationSeconds", GroupWords.seconds(start.getRecoveryDuration()));
    json.writeNumberField("topicCount", start.getTopicCount());
    json.writeNumberField("partitionCount", start.getPartitionCount());
    json.writeNumberField("checkedBytes", start.getCheckedBytes());
    json.writeNumberField("cutBytes", start.getCutBytes());
    json.writeNumberField("damagedRangeCount", start.getDamagedRangeCount());
    json.writeNumberField("offlinePartitionCount", start.getOfflinePartitionCount());
    json.writeEndObject();
    json.writeObjectFieldStart("changedSettings");
    for (BrokerSetting one : told.getChangedSettingsList()) {
      json.writeObjectFieldStart(one.getKey());
      json.writeStringField("value", one.getValue());
      json.writeStringField("defaultValue", one.getDefaultValue());
      json.writeStringField("source", source(one));
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeObjectFieldStart("disk");
    BrokerDisk disk = told.getDisk();
    json.writeStringField("dataDirectory", disk.getDataDirectory());
    json.writeNumberField("logBytes", disk.getLogBytes());
    json.writeNumberField("unflushedBytes", disk.getUnflushedBytes());
    json.writeNumberField("unflushedLimitBytes", disk.getUnflushedLimitBytes());
    json.writeNumberField("pinnedBytes", disk.getPinnedBytes());
    if (disk.hasFileSystemBytes()) {
      json.writeNumberField("fileSystemBytes", disk.getFileSystemBytes());
    }
    if (disk.hasUsableBytes()) {
      json.writeNumberField("usableBytes", disk.getUsableBytes());
    }
    json.writeEndObject();
    counts(json, told);
  }

  private static void counts(JsonGenerator json, BrokerServiceDescribeResponse told)
      throws IOException {
    BrokerCounts counts = told.getCounts();
    json.writeNumberField("topicCount", counts.getTopics());
    json.writeNumberField("partitionCount", counts.getPartitions());
    json.writeNumberField("offlinePartitionCount", counts.getOfflinePartitions());
    json.writeNumberField("connectionCount", counts.getConnections());
    json.writeNumberField("connectionLimit", counts.getConnectionLimit());
    json.writeNumberField("httpConnectionCount", counts.getHttpConnections());
    json.writeNumberField("httpConnectionLimit", counts.getHttpConnectionLimit());
    if (counts.hasGroups()) {
      json.writeNumberField("groupCount", counts.getGroups());
    }
    json.writeBooleanField("groupsServed", told.getGroups().getServed());
    if (!told.getGroups().getServed()) {
      json.writeStringField("groupsReason", told.getGroups().getReason());
    }
  }
}
