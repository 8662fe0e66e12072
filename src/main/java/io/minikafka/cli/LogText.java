package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.DamagedRange;
import io.minikafka.admin.v1.Durability;
import io.minikafka.admin.v1.Segment;
import java.io.IOException;
import java.time.Instant;

/** What the log commands print, for people and for programs. */
final class LogText {
  private LogText() {}

  static String time(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
  }

  static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  static String damage(DamagedRange range) {
    return "offsets %d to %d are damaged: %s (segment %d, %s%s)"
        .formatted(
            range.getFromOffset(),
            range.getToOffset() - 1,
            range.getCause(),
            range.getSegmentBaseOffset(),
            range.getSizeBytes() == 0
                ? "no bytes are left"
                : "%d bytes at position %d".formatted(range.getSizeBytes(), range.getPosition()),
            range.hasFoundAt() ? ", found " + time(range.getFoundAt()) : "");
  }

  static void segment(JsonGenerator json, Segment segment) throws IOException {
    json.writeNumberField("baseOffset", segment.getBaseOffset());
    json.writeNumberField("nextOffset", segment.getNextOffset());
    json.writeNumberField("sizeBytes", segment.getSizeBytes());
    if (segment.hasNewestTimestamp()) {
      json.writeStringField("newestTimestamp", time(segment.getNewestTimestamp()));
    }
    if (segment.hasLastAppendTime()) {
      json.writeStringField("lastAppendTime", time(segment.getLastAppendTime()));
    }
    json.writeBooleanField("active", segment.getActive());
    json.writeBooleanField("compacted", segment.getCompacted());
    json.writeArrayFieldStart("damage");
    for (DamagedRange range : segment.getDamageList()) {
      json.writeStartObject();
      damage(json, range);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void damage(JsonGenerator json, DamagedRange range) throws IOException {
    Json.range(json, range.getFromOffset(), range.getToOffset());
    json.writeNumberField("segmentBaseOffset", range.getSegmentBaseOffset());
    json.writeNumberField("position", range.getPosition());
    json.writeNumberField("sizeBytes", range.getSizeBytes());
    json.writeStringField("cause", range.getCause());
    if (range.hasFoundAt()) {
      json.writeStringField("foundAt", time(range.getFoundAt()));
    }
  }

  static String durability(Durability durability) {
    return durability == Durability.DURABILITY_FLUSHED ? "flushed" : "written";
  }
}
