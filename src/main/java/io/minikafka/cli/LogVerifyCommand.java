package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.VerifyFinding;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Reads all bytes of logs and compares every checksum.",
    footer = {
      "",
      "Exit status 1 if there is damage, a partition is offline, or something could not be read.",
      "",
      "Examples:",
      "  minikafka log verify access 0",
      "  minikafka log verify"
    })
final class LogVerifyCommand implements Callable<Integer> {
  private static final int MIB = 1 << 20;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TOPIC",
      description = "Which topic (all of them).")
  @Nullable String topic;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PARTITION",
      description = "Which partition of it (all of them).")
  @Nullable Integer partition;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  private int wrong;
  private long checkedBytes;
  private int checkedPartitions;

  @Override
  public Integer call() throws IOException {
    LogServiceVerifyRequest.Builder request =
        LogServiceVerifyRequest.newBuilder().setTopic(topic == null ? "" : topic);
    if (partition != null) {
      request.setPartition(partition);
    }
    admin.logParts(stub -> stub.verify(request.build()), this::take);
    if (output.isJson()) {
      Json.line(
          System.out,
          json -> {
            json.writeNumberField("checkedBytes", checkedBytes);
            json.writeNumberField("partitions", checkedPartitions);
            json.writeNumberField("wrong", wrong);
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              "%s of %s read: %s"
                  .formatted(
                      Counted.grouped(checkedBytes, "byte"),
                      Counted.of(checkedPartitions, "partition"),
                      wrong == 0 ? "all is well" : Counted.of(wrong, "finding")));
    }
    return wrong == 0 ? 0 : 1;
  }

  private void take(Iterator<LogServiceVerifyResponse> parts) throws IOException {
    Console console = System.console();
    boolean shows = !output.isJson() && console != null && console.isTerminal();
    PrintWriter err = spec.commandLine().getErr();
    while (parts.hasNext()) {
      LogServiceVerifyResponse part = parts.next();
      checkedBytes = part.getCheckedBytes();
      checkedPartitions = part.getCheckedPartitionCount();
      if (shows) {
        err.print("\r\033[K");
      }
      for (VerifyFinding finding : part.getFindingsList()) {
        print(part, finding);
      }
      if (shows) {
        err.print(progress(part));
        err.flush();
      }
    }
    if (shows) {
      err.print("\r\033[K");
      err.flush();
    }
  }

  private static String progress(LogServiceVerifyResponse part) {
    return "%,d of %,d MiB, %d of %d partitions, at %s-%d"
        .formatted(
            part.getCheckedBytes() / MIB,
            part.getTotalBytes() / MIB,
            part.getCheckedPartitionCount(),
            part.getPartitionCount(),
            part.getTopic(),
            part.getPartition());
  }

  private void print(LogServiceVerifyResponse part, VerifyFinding finding) throws IOException {
    String name = part.getTopic() + "-" + part.getPartition();
    switch (finding.getFindingCase()) {
      case NEW_DAMAGE, KNOWN_DAMAGE -> {
        boolean isNew = finding.hasNewDamage();
        var range = isNew ? finding.getNewDamage() : finding.getKnownDamage();
        wrong++;
        output.print(
            spec,
            json -> {
              json.writeStringField("topic", part.getTopic());
              json.writeNumberField("partition", part.getPartition());
              json.writeStringField("finding", isNew ? "newDamage" : "knownDamage");
              LogText.damage(json, range);
            },
            "%s: %s%s".formatted(name, LogText.damage(range), isNew ? "" : ", known before"));
      }
      case SKIPPED -> {
        var skipped = finding.getSkipped();
        output.print(
            spec,
            json -> {
              json.writeStringField("topic", part.getTopic());
              json.writeNumberField("partition", part.getPartition());
              json.writeStringField("finding", "skipped");
              json.writeNumberField("from", skipped.getFromOffset());
              json.writeNumberField("to", skipped.getToOffset());
            },
            "%s: offsets %d to %d were given up by a repair"
                .formatted(name, skipped.getFromOffset(), skipped.getToOffset() - 1));
      }
      case UNREADABLE -> {
        var unreadable = finding.getUnreadable();
        wrong++;
        output.print(
            spec,
            json -> {
              json.writeStringField("topic", part.getTopic());
              json.writeNumberField("partition", part.getPartition());
              json.writeStringField("finding", "unreadable");
              json.writeNumberField("segment", unreadable.getBaseOffset());
              json.writeStringField("cause", unreadable.getCause());
            },
            "%s: segment %d cannot be read: %s"
                .formatted(name, unreadable.getBaseOffset(), unreadable.getCause()));
      }
      case OFFLINE -> {
        var offline = finding.getOffline();
        wrong++;
        output.print(
            spec,
            json -> {
              json.writeStringField("topic", part.getTopic());
              json.writeNumberField("partition", part.getPartition());
              json.writeStringField("finding", "offline");
              json.writeStringField("reason", offline.getReason());
            },
            "%s is offline: %s".formatted(name, offline.getReason()));
      }
      case FINDING_NOT_SET -> {}
    }
  }
}
