package io.minikafka.cli;

import com.google.protobuf.Duration;
import com.google.protobuf.Empty;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.PartitionOffsets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where offsets are reset to: exactly one of these is given. */
final class ResetTargetOptions {
  @Option(names = "--to-earliest", description = "To the first record there is.")
  boolean earliest;

  @Option(names = "--to-latest", description = "To the end: only what comes from now on is read.")
  boolean latest;

  @Option(
      names = "--to-current",
      description =
          "To what is committed, within what the log has: to see it as a plan, or to keep it as one.")
  boolean current;

  @Option(
      names = "--to-offset",
      paramLabel = "N",
      converter = WholeNumber.Offset.class,
      description = "To that offset.")
  @Nullable Long offset;

  @Option(
      names = "--to-time",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "To the first record of that time or later (2026-01-31T12:00:00Z; 1h30m: so long ago).")
  @Nullable Instant time;

  @Option(
      names = "--to-timestamp",
      paramLabel = "TIME",
      hidden = true,
      converter = TimeConverter.class,
      description = "As --to-time.")
  @Nullable Instant timestamp;

  @Option(
      names = "--by-duration",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "To the first record of so long ago or later (90s, 1h30m, 7d, PT1H).")
  java.time.@Nullable Duration duration;

  @Option(
      names = "--shift-by",
      paramLabel = "±N",
      description = "So many offsets forward, or back if negative.")
  @Nullable Long shift;

  @Option(
      names = "--to-group",
      paramLabel = "OTHER",
      description = "To what another group has committed.")
  @Nullable String group;

  @Option(
      names = "--from-file",
      paramLabel = "FILE",
      description =
          "To the offsets in a file, or on standard input if it is -: lines of 'topic partition"
              + " offset', or what a command printed with --output json; of a plan or a reset it is"
              + " the newOffset.")
  @Nullable Path file;

  /**
   * @throws IOException if the file cannot be read, or is none
   */
  void target(GroupServicePlanOffsetResetRequest.Builder request) throws IOException {
    if (earliest) {
      request.setEarliest(Empty.getDefaultInstance());
    }
    if (latest) {
      request.setLatest(Empty.getDefaultInstance());
    }
    if (current) {
      request.setShift(0);
    }
    if (offset != null) {
      request.setOffset(offset);
    }
    if (time != null) {
      request.setTimestamp(LogText.timestamp(time));
    }
    if (timestamp != null) {
      request.setTimestamp(LogText.timestamp(timestamp));
    }
    if (duration != null) {
      request.setDuration(
          Duration.newBuilder().setSeconds(duration.getSeconds()).setNanos(duration.getNano()));
    }
    if (shift != null) {
      request.setShift(shift);
    }
    if (group != null) {
      request.setFromGroup(group);
    }
    if (file != null) {
      request.setOffsets(
          PartitionOffsets.newBuilder().addAllOffsets(OffsetFile.read(file, request.getGroup())));
    }
  }
}
