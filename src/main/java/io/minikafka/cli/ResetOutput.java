package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.OffsetClamp;
import io.minikafka.admin.v1.PartitionReset;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** What a reset does to partitions, for people and for programs. Stateless. */
final class ResetOutput {
  private ResetOutput() {}

  static void table(PrintWriter out, List<PartitionReset> resets, List<String> warnings) {
    Table table = new Table("TOPIC", "PARTITION", "OLD", "NEW", "REPLAYED", "SKIPPED", "CLAMPED");
    for (PartitionReset reset : resets) {
      table.row(
          reset.getTopic(),
          reset.getPartition(),
          reset.hasOldOffset() ? reset.getOldOffset() : "-",
          reset.hasNewOffset() ? reset.getNewOffset() : "-",
          reset.getReplayedRecords(),
          reset.getSkippedRecords(),
          clamp(reset.getClamp()).isEmpty() ? "-" : "to " + clamp(reset.getClamp()));
    }
    table.print(out);
    for (PartitionReset reset : resets) {
      for (String warning : reset.getWarningsList()) {
        out.println("%s-%d: %s".formatted(reset.getTopic(), reset.getPartition(), warning));
      }
    }
    warnings.forEach(out::println);
  }

  /**
   * Why a reset that was carried out has changed no offset, to be put behind that; empty if it is
   * for more than one reason, which are told of each partition.
   */
  static String whyNothing(String group, List<PartitionReset> resets) {
    if (resets.stream().noneMatch(PartitionReset::hasOldOffset)) {
      return ": group %s has committed nothing there".formatted(group);
    }
    boolean asked = resets.stream().allMatch(reset -> reset.getWarningsList().isEmpty());
    return asked ? ": group %s was there already".formatted(group) : "";
  }

  static void json(JsonGenerator json, List<PartitionReset> resets, List<String> warnings)
      throws IOException {
    json.writeArrayFieldStart("partitions");
    for (PartitionReset reset : resets) {
      json.writeStartObject();
      json.writeStringField("topic", reset.getTopic());
      json.writeNumberField("partition", reset.getPartition());
      if (reset.hasOldOffset()) {
        json.writeNumberField("oldOffset", reset.getOldOffset());
      }
      if (reset.hasNewOffset()) {
        json.writeNumberField("newOffset", reset.getNewOffset());
      }
      json.writeNumberField("replayedRecords", reset.getReplayedRecords());
      json.writeNumberField("skippedRecords", reset.getSkippedRecords());
      if (!clamp(reset.getClamp()).isEmpty()) {
        json.writeStringField("clampedTo", clamp(reset.getClamp()));
      }
      Json.strings(json, "warnings", reset.getWarningsList());
      json.writeEndObject();
    }
    json.writeEndArray();
    Json.strings(json, "warnings", warnings);
  }

  static void committed(JsonGenerator json, List<CommittedPartition> offsets) throws IOException {
    json.writeArrayFieldStart("offsets");
    for (CommittedPartition offset : offsets) {
      json.writeStartObject();
      json.writeStringField("topic", offset.getTopic());
      json.writeNumberField("partition", offset.getPartition());
      json.writeNumberField("committedOffset", offset.getOffset());
      Json.text(json, "metadata", offset.getMetadata());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void committed(PrintWriter out, List<CommittedPartition> offsets) {
    if (offsets.isEmpty()) {
      return;
    }
    Table table = new Table("TOPIC", "PARTITION", "OFFSET");
    offsets.forEach(one -> table.row(one.getTopic(), one.getPartition(), one.getOffset()));
    table.print(out);
  }

  private static String clamp(OffsetClamp clamp) {
    return switch (clamp) {
      case OFFSET_CLAMP_TO_LOG_START -> "start";
      case OFFSET_CLAMP_TO_END -> "end";
      case OFFSET_CLAMP_UNSPECIFIED, UNRECOGNIZED -> "";
    };
  }
}
