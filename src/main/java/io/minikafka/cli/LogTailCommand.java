package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.OffsetGap;
import io.minikafka.admin.v1.Payload;
import io.minikafka.admin.v1.TailedHeader;
import io.minikafka.admin.v1.TailedRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Iterator;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
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
      "  minikafka log tail access 0 --from 2026-01-31T12:00:00Z"
    })
final class LogTailCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Parameters(index = "1", paramLabel = "PARTITION", description = "Which partition of it.")
  int partition;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      description = {
        "An offset, -N for the newest N, end for only what comes,",
        "or a time such as 2026-01-31T12:00:00Z (-10)."
      })
  @Nullable String from;

  @Option(names = "--max", paramLabel = "N", description = "Most records (1,000,000).")
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
            .setTopic(topic)
            .setPartition(partition)
            .setFollow(follow)
            .setMaxRecords(max);
    begin(request);
    admin.logParts(stub -> stub.tail(request.build()), this::take);
    return 0;
  }

  private void begin(LogServiceTailRequest.Builder request) {
    String where = from;
    if (where == null) {
      return;
    }
    try {
      if (where.equals("end")) {
        request.setNewest(0);
      } else if (where.matches("-[0-9]{1,9}")) {
        request.setNewest(Integer.parseInt(where.substring(1)));
      } else if (where.matches("[0-9]{1,19}")) {
        request.setFromOffset(Long.parseLong(where));
      } else {
        Instant time = Instant.parse(where);
        request.setFromTime(
            Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()));
      }
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--from %s is neither an offset, nor -N, nor end, nor a time".formatted(where),
          e);
    }
  }

  private void take(Iterator<LogServiceTailResponse> parts) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    while (parts.hasNext()) {
      LogServiceTailResponse part = parts.next();
      if (output.isJson()) {
        Json.line(System.out, json -> write(json, part));
        System.out.flush();
      } else {
        out.println(part.hasGap() ? words(part.getGap()) : words(part.getRecord()));
        out.flush();
      }
      if (System.out.checkError()) {
        // Whoever read it is gone.
        return;
      }
    }
  }

  private static String words(OffsetGap gap) {
    return "%d … %d  %s"
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

  private static void write(JsonGenerator json, LogServiceTailResponse part) throws IOException {
    if (part.hasGap()) {
      json.writeNumberField("gapFrom", part.getGap().getFromOffset());
      json.writeNumberField("gapTo", part.getGap().getToOffset());
      json.writeBooleanField("lost", part.getGap().getLost());
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
    write(json, "key", record.hasKey(), record.getKey());
    write(json, "value", record.hasValue(), record.getValue());
    json.writeArrayFieldStart("headers");
    for (TailedHeader header : record.getHeadersList()) {
      json.writeStartObject();
      json.writeStringField("key", header.getKey());
      write(json, "value", header.hasValue(), header.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, String name, boolean isThere, Payload payload)
      throws IOException {
    if (!isThere) {
      json.writeNullField(name);
    } else if (payload.hasText()) {
      json.writeStringField(name, payload.getText());
    } else {
      json.writeBinaryField(name + "Base64", payload.getData().toByteArray());
    }
    if (isThere && payload.getSizeBytes() > payload.getData().size()) {
      json.writeNumberField(name + "Bytes", payload.getSizeBytes());
    }
  }
}
