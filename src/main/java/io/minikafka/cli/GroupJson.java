package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.Group;
import java.io.IOException;

/** What the commands on groups print for programs. */
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
}
