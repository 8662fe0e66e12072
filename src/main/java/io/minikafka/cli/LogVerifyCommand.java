package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.OffsetRange;
import io.minikafka.admin.v1.UnreadableSegment;
import io.minikafka.admin.v1.VerifyFinding;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
  private static final String CLEAR_LINE = "\r\u001b[K";

  @Mixin PartitionsParameters of;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  private boolean showsProgress;

  /** That somebody has to see to. */
  private int findings;

  private long checkedBytes;
  private int checkedPartitions;

  @Override
  public Integer call() throws IOException {
    LogServiceVerifyRequest.Builder request =
        LogServiceVerifyRequest.newBuilder().setTopic(of.topic());
    if (of.partition != null) {
      request.setPartition(of.partition);
    }
    Console console = System.console();
    showsProgress = !output.isJson() && console != null && console.isTerminal();
    try {
      admin.logParts(stub -> stub.verify(request.build()), this::take);
    } finally {
      if (showsProgress) {
        spec.commandLine().getErr().print(CLEAR_LINE);
        spec.commandLine().getErr().flush();
      }
    }
    if (output.isJson()) {
      Json.line(
          System.out,
          json -> {
            json.writeNumberField("checkedBytes", checkedBytes);
            json.writeNumberField("checkedPartitionCount", checkedPartitions);
            json.writeNumberField("findingCount", findings);
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              "%s of %s read: %s"
                  .formatted(
                      Counted.grouped(checkedBytes, "byte"),
                      Counted.of(checkedPartitions, "partition"),
                      findings == 0 ? "all is well" : Counted.of(findings, "finding")));
    }
    return findings == 0 ? 0 : 1;
  }

  private boolean take(LogServiceVerifyResponse part) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    checkedBytes = part.getCheckedBytes();
    checkedPartitions = part.getCheckedPartitionCount();
    if (showsProgress) {
      err.print(CLEAR_LINE);
    }
    for (VerifyFinding finding : part.getFindingsList()) {
      print(part, finding);
    }
    if (showsProgress) {
      err.print(progress(part));
      err.flush();
    }
    return true;
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

  /**
   * What was found of a partition.
   *
   * @param name as programs know it
   * @param isWrong whether somebody has to see to it
   * @param fields what there is to say besides
   * @param words of it, behind the partition's name
   */
  private record Found(String name, boolean isWrong, Json.Body fields, String words) {}

  private void print(LogServiceVerifyResponse part, VerifyFinding finding) throws IOException {
    Optional<Found> known = found(finding);
    if (known.isEmpty()) {
      return;
    }
    Found found = known.get();
    findings += found.isWrong() ? 1 : 0;
    output.print(
        spec,
        json -> {
          json.writeStringField("topic", part.getTopic());
          json.writeNumberField("partition", part.getPartition());
          json.writeStringField("finding", found.name());
          found.fields().write(json);
        },
        "%s-%d%s".formatted(part.getTopic(), part.getPartition(), found.words()));
  }

  private static Optional<Found> found(VerifyFinding finding) {
    return switch (finding.getFindingCase()) {
      case NEW_DAMAGE ->
          Optional.of(
              new Found(
                  "newDamage",
                  true,
                  json -> LogText.damage(json, finding.getNewDamage()),
                  ": " + LogText.damage(finding.getNewDamage())));
      case KNOWN_DAMAGE ->
          Optional.of(
              new Found(
                  "knownDamage",
                  true,
                  json -> LogText.damage(json, finding.getKnownDamage()),
                  ": %s, known before".formatted(LogText.damage(finding.getKnownDamage()))));
      case SKIPPED -> {
        OffsetRange skipped = finding.getSkipped();
        yield Optional.of(
            new Found(
                "skipped",
                false,
                json -> Json.range(json, skipped.getFromOffset(), skipped.getToOffset()),
                ": offsets %d to %d were given up by a repair"
                    .formatted(skipped.getFromOffset(), skipped.getToOffset() - 1)));
      }
      case UNREADABLE -> {
        UnreadableSegment unreadable = finding.getUnreadable();
        yield Optional.of(
            new Found(
                "unreadable",
                true,
                json -> {
                  json.writeNumberField("segmentBaseOffset", unreadable.getBaseOffset());
                  json.writeStringField("cause", unreadable.getCause());
                },
                ": segment %d cannot be read: %s"
                    .formatted(unreadable.getBaseOffset(), unreadable.getCause())));
      }
      case OFFLINE -> {
        String reason = finding.getOffline().getReason();
        yield Optional.of(
            new Found(
                "offline",
                true,
                json -> json.writeStringField("offlineReason", reason),
                " is offline: " + reason));
      }
      case FINDING_NOT_SET -> Optional.empty();
    };
  }
}
