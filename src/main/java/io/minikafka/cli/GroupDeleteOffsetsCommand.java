package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsRequest;
import io.minikafka.admin.v1.TopicPartitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "delete-offsets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes what a group without members has committed for some partitions.",
    footer = {
      "",
      "Its next member begins there where its reset policy says. On a terminal it asks first;",
      "elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka group delete-offsets invoices --topic orders",
      "  minikafka group delete-offsets invoices --topic orders:0,3 --yes"
    })
final class GroupDeleteOffsetsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "GROUP", description = "Which group.")
  String group = "";

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC[:N,N…]",
      converter = PartitionsConverter.class,
      description = "These partitions, or all of a topic; may be repeated.")
  List<TopicPartitions> topics = new ArrayList<>();

  @Option(names = "--dry-run", description = "Only check; delete nothing.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!dryRun) {
      consent.require(spec, "deletes");
    }
    List<CommittedPartition> found = delete(true);
    output
        .forPeople(spec, !dryRun && !consent.yes)
        .ifPresent(to -> ResetOutput.committed(to, found));
    List<CommittedPartition> offsets = found;
    if (!dryRun) {
      if (!consent.isGiven("Delete these offsets of group %s?".formatted(group))) {
        spec.commandLine().getErr().println("nothing was deleted");
        return 1;
      }
      offsets = delete(false);
    }
    List<CommittedPartition> deleted = offsets;
    output.print(
        spec,
        json -> {
          json.writeStringField("group", group);
          json.writeBooleanField("deleted", !dryRun);
          ResetOutput.committed(json, deleted);
        },
        "%s %s of group %s"
            .formatted(
                dryRun ? "would delete" : "deleted", Counted.of(deleted.size(), "offset"), group));
    return 0;
  }

  private List<CommittedPartition> delete(boolean trial) throws IOException {
    GroupServiceDeleteOffsetsRequest request =
        GroupServiceDeleteOffsetsRequest.newBuilder()
            .setGroup(group)
            .addAllPartitions(topics)
            .setValidateOnly(trial)
            .build();
    return admin.groups(stub -> stub.deleteOffsets(request)).getOffsetsList();
  }
}
