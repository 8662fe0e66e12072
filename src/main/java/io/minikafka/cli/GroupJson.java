package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupLag;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.Member;
import io.minikafka.admin.v1.OwnedPartition;
import io.minikafka.admin.v1.PartitionLag;
import io.minikafka.admin.v1.PartitionRef;
import io.minikafka.admin.v1.Rebalance;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** What the commands on groups print for programs. A field that is not known is left out. */
final class GroupJson {
  private GroupJson() {}

  static void group(JsonGenerator json, Group group) throws IOException {
    json.writeStringField("name", group.getName());
    json.writeStringField("state", GroupWords.state(group.getState()));
    json.writeNumberField("generation", group.getGeneration());
    json.writeStringField("assignor", group.getAssignor());
    json.writeNumberField("members", group.getMemberCount());
    json.writeNumberField("committedPartitions", group.getCommittedPartitionCount());
    json.writeNumberField("lagRecords", group.getTotalLagRecords());
    if (group.hasMaxLagTime()) {
      json.writeNumberField("lagSeconds", GroupWords.seconds(group.getMaxLagTime()));
    }
    json.writeNumberField("unknownLagPartitions", group.getUnknownLagPartitionCount());
  }

  static void described(JsonGenerator json, GroupServiceDescribeResponse answer)
      throws IOException {
    group(json, answer.getGroup());
    json.writeArrayFieldStart("memberStates");
    for (Member member : answer.getMembersList()) {
      member(json, member);
    }
    json.writeEndArray();
    partitions(json, answer.getPartitionsList());
    json.writeArrayFieldStart("rebalances");
    for (Rebalance rebalance : answer.getRebalancesList()) {
      rebalance(json, rebalance);
    }
    json.writeEndArray();
  }

  /** One look. */
  static void lag(JsonGenerator json, Instant at, List<GroupLag> groups) throws IOException {
    json.writeStringField("at", at.toString());
    json.writeArrayFieldStart("groups");
    for (GroupLag group : groups) {
      json.writeStartObject();
      group(json, group.getGroup());
      partitions(json, group.getPartitionsList());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void partitions(JsonGenerator json, List<PartitionLag> partitions)
      throws IOException {
    json.writeArrayFieldStart("partitions");
    for (PartitionLag lag : partitions) {
      json.writeStartObject();
      json.writeStringField("topic", lag.getTopic());
      json.writeNumberField("partition", lag.getPartition());
      text(json, "owner", lag.getOwner());
      if (lag.hasCommittedOffset()) {
        json.writeNumberField("committed", lag.getCommittedOffset());
        json.writeStringField("committedAt", GroupWords.instant(lag.getCommittedAt()).toString());
        text(json, "metadata", lag.getMetadata());
      }
      json.writeNumberField("logStart", lag.getLogStartOffset());
      json.writeNumberField("highWatermark", lag.getHighWatermark());
      if (lag.hasLagRecords()) {
        json.writeNumberField("lagRecords", lag.getLagRecords());
      }
      if (lag.hasLagTime()) {
        json.writeNumberField("lagSeconds", GroupWords.seconds(lag.getLagTime()));
      }
      json.writeNumberField("deletedUnread", lag.getDeletedUnreadRecords());
      if (lag.hasTimeUntilDeletion()) {
        json.writeNumberField(
            "secondsUntilDeletion", GroupWords.seconds(lag.getTimeUntilDeletion()));
      }
      if (lag.hasBytesUntilDeletion()) {
        json.writeNumberField("bytesUntilDeletion", lag.getBytesUntilDeletion());
      }
      text(json, "offline", lag.getOfflineReason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void member(JsonGenerator json, Member member) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", member.getId());
    text(json, "instance", member.getInstanceId());
    text(json, "client", member.getClientId());
    text(json, "host", member.getHost());
    json.writeStringField("state", GroupWords.state(member.getState()));
    json.writeNumberField("version", member.getProtocolVersion());
    json.writeNumberField("sessionTimeoutSeconds", GroupWords.seconds(member.getSessionTimeout()));
    json.writeNumberField(
        "rebalanceTimeoutSeconds", GroupWords.seconds(member.getRebalanceTimeout()));
    json.writeNumberField("sessionAgeSeconds", GroupWords.seconds(member.getSessionAge()));
    json.writeArrayFieldStart("topics");
    for (String topic : member.getTopicsList()) {
      json.writeString(topic);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("owned");
    for (OwnedPartition owned : member.getOwnedList()) {
      json.writeStartObject();
      json.writeStringField("topic", owned.getTopic());
      json.writeNumberField("partition", owned.getPartition());
      json.writeNumberField("grant", owned.getGrant());
      if (owned.hasLetGoWithin()) {
        json.writeNumberField("letGoWithinSeconds", GroupWords.seconds(owned.getLetGoWithin()));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("pending");
    for (PartitionRef pending : member.getPendingList()) {
      json.writeStartObject();
      json.writeStringField("topic", pending.getTopic());
      json.writeNumberField("partition", pending.getPartition());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void rebalance(JsonGenerator json, Rebalance rebalance) throws IOException {
    json.writeStartObject();
    json.writeNumberField("generation", rebalance.getGeneration());
    json.writeStringField("startedAt", GroupWords.instant(rebalance.getStartedAt()).toString());
    json.writeArrayFieldStart("reasons");
    for (String reason : rebalance.getReasonsList()) {
      json.writeString(reason);
    }
    json.writeEndArray();
    json.writeNumberField("members", rebalance.getMemberCount());
    json.writeNumberField("movedPartitions", rebalance.getMovedPartitionCount());
    if (rebalance.hasDuration()) {
      json.writeNumberField("seconds", GroupWords.seconds(rebalance.getDuration()));
    }
    json.writeBooleanField("superseded", rebalance.getSuperseded());
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String field, String text) throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(field, text);
    }
  }
}
