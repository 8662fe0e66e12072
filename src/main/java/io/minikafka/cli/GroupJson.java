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
    json.writeStringField("group", group.getName());
    json.writeStringField("state", GroupWords.state(group.getState()));
    json.writeNumberField("generation", group.getGeneration());
    json.writeStringField("assignor", group.getAssignor());
    json.writeNumberField("memberCount", group.getMemberCount());
    json.writeNumberField("committedPartitionCount", group.getCommittedPartitionCount());
    json.writeNumberField("totalLagRecords", group.getTotalLagRecords());
    if (group.hasMaxLagTime()) {
      json.writeNumberField("maxLagSeconds", GroupWords.seconds(group.getMaxLagTime()));
    }
    json.writeNumberField("unknownLagPartitionCount", group.getUnknownLagPartitionCount());
  }

  static void described(JsonGenerator json, GroupServiceDescribeResponse answer)
      throws IOException {
    group(json, answer.getGroup());
    json.writeArrayFieldStart("members");
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
      Json.text(json, "owner", lag.getOwner());
      if (lag.hasCommittedOffset()) {
        json.writeNumberField("committedOffset", lag.getCommittedOffset());
        json.writeStringField("committedAt", GroupWords.instant(lag.getCommittedAt()).toString());
        Json.text(json, "metadata", lag.getMetadata());
      }
      json.writeNumberField("logStartOffset", lag.getLogStartOffset());
      json.writeNumberField("highWatermark", lag.getHighWatermark());
      if (lag.hasLagRecords()) {
        json.writeNumberField("lagRecords", lag.getLagRecords());
      }
      if (lag.hasLagTime()) {
        json.writeNumberField("lagSeconds", GroupWords.seconds(lag.getLagTime()));
      }
      json.writeNumberField("deletedUnreadRecords", lag.getDeletedUnreadRecords());
      if (lag.hasTimeUntilDeletion()) {
        json.writeNumberField(
            "secondsUntilDeletion", GroupWords.seconds(lag.getTimeUntilDeletion()));
      }
      if (lag.hasBytesUntilDeletion()) {
        json.writeNumberField("bytesUntilDeletion", lag.getBytesUntilDeletion());
      }
      Json.text(json, "offlineReason", lag.getOfflineReason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void member(JsonGenerator json, Member member) throws IOException {
    json.writeStartObject();
    json.writeStringField("memberId", member.getId());
    Json.text(json, "instanceId", member.getInstanceId());
    Json.text(json, "clientName", member.getClientId());
    Json.text(json, "host", member.getHost());
    json.writeStringField("state", GroupWords.state(member.getState()));
    json.writeNumberField("protocolVersion", member.getProtocolVersion());
    json.writeNumberField("sessionTimeoutSeconds", GroupWords.seconds(member.getSessionTimeout()));
    json.writeNumberField(
        "rebalanceTimeoutSeconds", GroupWords.seconds(member.getRebalanceTimeout()));
    json.writeNumberField("sessionAgeSeconds", GroupWords.seconds(member.getSessionAge()));
    Json.strings(json, "topics", member.getTopicsList());
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
    Json.strings(json, "reasons", rebalance.getReasonsList());
    json.writeNumberField("memberCount", rebalance.getMemberCount());
    json.writeNumberField("movedPartitionCount", rebalance.getMovedPartitionCount());
    if (rebalance.hasDuration()) {
      json.writeNumberField("durationSeconds", GroupWords.seconds(rebalance.getDuration()));
    }
    json.writeBooleanField("superseded", rebalance.getSuperseded());
    json.writeEndObject();
  }
}
