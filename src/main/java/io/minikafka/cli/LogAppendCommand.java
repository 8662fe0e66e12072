package io.minikafka.cli;

import com.google.protobuf.ByteString;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.AppendedRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceAppendResponse;
import io.minikafka.admin.v1.RecordHeader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "append",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Appends one record, for trying things out; produce is for more.",
    footer = {
      "",
      "Examples:",
      "  minikafka log append access --key user-1 --value login",
      "  minikafka log append access --key user-1 --null-value --header why=test",
      "  minikafka log append access 3 --value hello --durability flushed"
    })
final class LogAppendCommand implements Change {
  @Parameters(index = "0", paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PARTITION",
      converter = WholeNumber.Partition.class,
      description = "Which partition of it; without it the key decides.")
  @Nullable Integer partition;

  @Option(names = "--key", paramLabel = "TEXT", description = "The key (null).")
  @Nullable String key;

  @ArgGroup(multiplicity = "1")
  Value value = new Value();

  /** What the record holds. */
  static final class Value {
    @Option(names = "--value", paramLabel = "TEXT", required = true, description = "The value.")
    String text = "";

    @Option(
        names = "--null-value",
        required = true,
        description = "No value: deletes the key on a compacted topic.")
    boolean isNull;
  }

  @Option(
      names = "--header",
      paramLabel = "KEY=VALUE",
      description = "A header; may be given more than once.")
  List<String> headers = List.of();

  @Option(
      names = "--durability",
      paramLabel = "topic|written|flushed",
      defaultValue = "topic",
      description = "How safe it is to be (as the topic's flush.policy says).")
  WantedDurability durability = WantedDurability.TOPIC;

  @Option(names = "--dry-run", description = "Only check; append nothing.")
  boolean dryRun;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LogServiceAppendRequest.Builder request =
        LogServiceAppendRequest.newBuilder()
            .setTopic(topic)
            .addRecords(appended())
            .setDurability(durability.overGrpc())
            .setValidateOnly(dryRun);
    if (partition != null) {
      request.setPartition(partition);
    }
    LogServiceAppendResponse answer = admin.logs(stub -> stub.append(request.build()));
    for (AppendedRecord appended : answer.getRecordsList()) {
      print(appended);
    }
    return 0;
  }

  private AppendRecord appended() {
    AppendRecord.Builder appended = AppendRecord.newBuilder();
    if (key != null) {
      appended.setKey(ByteString.copyFromUtf8(key));
    }
    if (!value.isNull) {
      appended.setValue(ByteString.copyFromUtf8(value.text));
    }
    for (String header : headers) {
      int at = header.indexOf('=');
      if (at < 0) {
        throw new ParameterException(
            spec.commandLine(), "--header is '%s', must be KEY=VALUE".formatted(header));
      }
      appended.addHeaders(
          RecordHeader.newBuilder()
              .setKey(header.substring(0, at))
              .setValue(ByteString.copyFromUtf8(header.substring(at + 1))));
    }
    return appended.build();
  }

  private void print(AppendedRecord appended) throws IOException {
    output.print(
        spec,
        json -> {
          json.writeStringField("topic", topic);
          json.writeNumberField("partition", appended.getPartition());
          json.writeBooleanField("dryRun", dryRun);
          if (appended.hasOffset()) {
            json.writeNumberField("offset", appended.getOffset());
            json.writeStringField("appendTime", LogText.time(appended.getAppendTime()));
            json.writeStringField("durability", LogText.durability(appended.getDurability()));
          }
        },
        appended.hasOffset()
            ? "%s-%d offset %d, %s"
                .formatted(
                    topic,
                    appended.getPartition(),
                    appended.getOffset(),
                    LogText.durability(appended.getDurability()))
            : "would append to %s-%d".formatted(topic, appended.getPartition()));
  }
}
