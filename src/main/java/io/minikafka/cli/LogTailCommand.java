package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.OffsetGap;
import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Payload;
import io.minikafka.admin.v1.TailedHeader;
import io.minikafka.admin.v1.TailedRecord;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows records of a partition, for looking; consume is for more.",
    footer = {
      "",
      "It ends before damage, and names it.",
      "",
      "Examples:",
      "  minikafka log tail access 0",
      "  minikafka log tail access 0 --from -100 --follow",
      "  minikafka log tail access 0 --from 5000 --max 20 --output json",
      "  minikafka log tail access 0 --from 2026-01-31T12:00:00Z",
      "  minikafka log tail access 0 --from 15m"
    })
final class LogTailCommand implements Callable<Integer> {
  @Mixin PartitionParameters of;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      defaultValue = "-10",
      converter = StartPoint.Converter.class,
      description = "As of consume (-10): " + StartPoint.LEGEND + ".")
  StartPoint from = new StartPoint.Newest(10);

  @Option(
      names = "--max",
      paramLabel = "N",
      converter = WholeNumber.TailCount.class,
      description = "Most records (1,000,000).")
  int max;

  @Option(names = "--follow", description = "Wait for more at the end.")
  boolean follow;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LogServiceTailRequest.Builder request =
        LogServiceTailRequest.newBuilder()
            .setTopic(of.topic)
            .setPartition(of.partition)
            .setFollow(follow)
            .setMaxRecords(max);
    begin(request);
    admin.logParts(stub -> stub.tail(request.build()), this::take);
    return 0;
  }

  private void begin(LogServiceTailRequest.Builder request) throws IOException {
    switch (from) {
      case StartPoint.Beginning() -> request.setFromOffset(logStart());
      case StartPoint.End() -> request.setNewest(0);
      case StartPoint.Offset(long offset) -> request.setFromOffset(offset);
      case StartPoint.Newest(long count) ->
          request.setNewest((int) Math.min(count, Integer.MAX_VALUE));
      case StartPoint.Time(long timestampMs) ->
          request.setFromTime(LogText.timestamp(Instant.ofEpochMilli(timestampMs)));
    }
  }

  private long logStart() throws IOException {
    TopicServiceDescribeRequest request =
        TopicServiceDescribeRequest.newBuilder().setName(of.topic).build();
    return admin.call(stub -> stub.describe(request)).getPartitionsList().stream()
        .filter(partition -> partition.getPartition() == of.partition)
        .mapToLong(Partition::getLogStartOffset)
        .findFirst()
        .orElse(0);
  }

  /**
   * @return whether more is wanted
   */
  private boolean take(LogServiceTailResponse part) throws IOException {
    if (output.isJson()) {
      Json.line(System.out, json -> write(json, part));
      System.out.flush();
    } else {
      PrintWriter out = spec.commandLine().getOut();
      out.println(part.hasGap() ? words(part.getGap()) : words(part.getRecord()));
      out.flush();
    }
    // Whoever read it may be gone.
    return !System.out.checkError();
  }

  private static String words(OffsetGap gap) {
    return "%d to %d  %s"
        .formatted(
            gap.getFromOffset(),
            gap.getToOffset() - 1,
            gap.getLost() ? "lost: a repair skipped damage here" : "emptied by compaction");
  }

  private static String words(TailedRecord record) {
    StringBuilder text = new StringBuilder();
    text.append(record.getOffset());
    text.append("  ").append(record.hasTimestamp() ? LogText.time(record.getTimestamp()) : "-");
    text.append("  ").append(record.hasKey() ? words(record.getKey()) : "null");
    text.append("  ").append(record.hasValue() ? words(record.getValue()) : "null");
    for (TailedHeader header : record.getHeadersList()) {
      text.append("  ")
          .append(header.getKey())
          .append('=')
          .append(header.hasValue() ? words(header.getValue()) : "null");
    }
    int more = record.getHeaderCount() - record.getHeadersCount();
    return more == 0 ? text.toString() : text + "  and %d more headers".formatted(more);
  }

  /** In quotes, on one line; bytes that are no text by their number. */
  private static String words(Payload payload) {
    if (!payload.hasText()) {
      return "(%d bytes)".formatted(payload.getSizeBytes());
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : payload.getText().toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (Character.isISOControl(c)) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    quoted.append('"');
    return payload.getData().size() == payload.getSizeBytes()
        ? quoted.toString()
        : quoted + "… (%d bytes)".formatted(payload.getSizeBytes());
  }

  private void write(JsonGenerator json, LogServiceTailResponse part) throws IOException {
    json.writeStringField("topic", of.topic);
    json.writeNumberField("partition", of.partition);
    if (part.hasGap()) {
      json.writeStringField("gap", part.getGap().getLost() ? "lost" : "compacted");
      Json.range(json, part.getGap().getFromOffset(), part.getGap().getToOffset());
      return;
    }
    TailedRecord record = part.getRecord();
    json.writeNumberField("offset", record.getOffset());
    if (record.hasTimestamp()) {
      json.writeStringField("timestamp", LogText.time(record.getTimestamp()));
    }
    if (record.hasAppendTime()) {
      json.writeStringField("appendTime", LogText.time(record.getAppendTime()));
    }
    payload(json, "key", record.hasKey(), record.getKey());
    payload(json, "value", record.hasValue(), record.getValue());
    json.writeArrayFieldStart("headers");
    for (TailedHeader header : record.getHeadersList()) {
      json.writeStartObject();
      json.writeStringField("key", header.getKey());
      payload(json, "value", header.hasValue(), header.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void payload(JsonGenerator json, String name, boolean isThere, Payload payload)
      throws IOException {
    if (!isThere) {
      json.writeNullField(name);
    } else if (payload.hasText()) {
      json.writeStringField(name, payload.getText());
    } else {
      json.writeBinaryField(name + "Base64", payload.getData().toByteArray());
    }
    if (isThere && payload.getSizeBytes() > payload.getData().size()) {
      json.writeNumberField(name + "SizeBytes", payload.getSizeBytes());
    }
  }
}
