package io.minikafka.cli;

import io.minikafka.admin.v1.LogServiceRepairPartitionRequest;
import io.minikafka.admin.v1.LogServiceRepairPartitionResponse;
import io.minikafka.admin.v1.RepairAction;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Gives up damage of a partition, so that all else is served.",
    footer = {
      "",
      "Shows what it would do; on a terminal it asks then, elsewhere it wants --yes. A copy of all"
          + " bytes that go is put aside first.",
      "",
      "Examples:",
      "  minikafka log repair access 0 --skip 1200 --dry-run",
      "  minikafka log repair access 0 --skip 1200",
      "  minikafka log repair access 0 --cut 5000 --yes"
    })
final class LogRepairCommand implements Change {
  @Mixin PartitionParameters of;

  @ArgGroup(multiplicity = "1")
  Way way = new Way();

  /** What is to become of the damage. */
  static final class Way {
    @Option(
        names = "--skip",
        paramLabel = "OFFSET",
        converter = WholeNumber.Offset.class,
        required = true,
        description = "Readers pass over the damage at this offset; nothing else is lost.")
    @Nullable Long skip;

    @Option(
        names = "--cut",
        paramLabel = "OFFSET",
        converter = WholeNumber.Offset.class,
        required = true,
        description = "The log ends where the damage at this offset begins; all behind goes.")
    @Nullable Long cut;
  }

  @Option(names = "--dry-run", description = "Only show what would be done.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (dryRun) {
      print(ask(true), true);
      return 0;
    }
    if (!consent.yes) {
      String plan = words(ask(true), true);
      output.forPeople(spec, true).ifPresent(to -> to.println(plan));
    }
    if (!consent.isGiven(spec, "Repair it so?", "repairs")) {
      return 1;
    }
    print(ask(false), false);
    return 0;
  }

  private LogServiceRepairPartitionResponse ask(boolean validateOnly) throws IOException {
    Long skip = way.skip;
    Long cut = way.cut;
    LogServiceRepairPartitionRequest request =
        LogServiceRepairPartitionRequest.newBuilder()
            .setTopic(of.topic)
            .setPartition(of.partition)
            .setAction(
                skip == null ? RepairAction.REPAIR_ACTION_CUT : RepairAction.REPAIR_ACTION_SKIP)
            .setOffset(skip != null ? skip : cut == null ? 0 : cut)
            .setValidateOnly(validateOnly)
            .build();
    return admin.logs(stub -> stub.repairPartition(request));
  }

  private void print(LogServiceRepairPartitionResponse repair, boolean isPlan) throws IOException {
    output.print(
        spec,
        json -> {
          json.writeStringField("topic", of.topic);
          json.writeNumberField("partition", of.partition);
          json.writeBooleanField("dryRun", isPlan);
          json.writeStringField("action", way.skip == null ? "cut" : "skip");
          json.writeObjectFieldStart("damage");
          LogText.damage(json, repair.getRange());
          json.writeEndObject();
          json.writeObjectFieldStart("lost");
          Json.range(json, repair.getLost().getFromOffset(), repair.getLost().getToOffset());
          json.writeEndObject();
          json.writeNumberField("logEndOffset", repair.getLogEndOffset());
          json.writeNumberField("setAsideBytes", repair.getSetAsideBytes());
          Json.strings(json, "copies", repair.getCopiesList());
          Json.strings(json, "rewrittenFiles", repair.getRewrittenFilesList());
          Json.strings(json, "removedFiles", repair.getRemovedFilesList());
        },
        words(repair, isPlan));
  }

  private String words(LogServiceRepairPartitionResponse repair, boolean isPlan) {
    StringBuilder text = new StringBuilder();
    long from = repair.getLost().getFromOffset();
    long count = repair.getLost().getToOffset() - from;
    text.append(
        "%s-%d: %s%n"
            .formatted(
                of.topic,
                of.partition,
                count == 0
                    ? "no offset is lost"
                    : "offsets %d to %d (%d) %s"
                        .formatted(
                            from,
                            from + count - 1,
                            count,
                            isPlan ? "would be given up" : "are given up")));
    text.append("  the log ends at offset %d%n".formatted(repair.getLogEndOffset()));
    text.append(
        "  %,d bytes %s aside%s%n"
            .formatted(
                repair.getSetAsideBytes(),
                isPlan ? "would be copied and put" : "were copied and put",
                repair.getCopiesCount() == 0
                    ? ""
                    : ": " + String.join(", ", repair.getCopiesList())));
    repair
        .getRewrittenFilesList()
        .forEach(
            name ->
                text.append(
                    "  %s %s%n"
                        .formatted(name, isPlan ? "would be written anew" : "was written anew")));
    repair
        .getRemovedFilesList()
        .forEach(name -> text.append("  %s %s%n".formatted(name, isPlan ? "would go" : "is gone")));
    return text.toString().stripTrailing();
  }
}
