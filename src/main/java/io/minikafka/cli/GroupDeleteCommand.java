package io.minikafka.cli;

import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.GroupServiceDeleteRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes a group without members, with all that it has committed.",
    footer = {
      "",
      "On a terminal it asks first; elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka group delete invoices",
      "  minikafka group delete invoices --yes --output json > invoices.json",
      "  minikafka group reset invoices --from-file invoices.json"
    })
final class GroupDeleteCommand implements Callable<Integer> {
  @Parameters(paramLabel = "GROUP", description = "Which group.")
  String group = "";

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
      if (!consent.isGiven("Delete group %s and what it has committed?".formatted(group))) {
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
        (dryRun ? "would delete group " : "deleted group ") + group);
    return 0;
  }

  private List<CommittedPartition> delete(boolean trial) throws IOException {
    GroupServiceDeleteRequest request =
        GroupServiceDeleteRequest.newBuilder().setGroup(group).setValidateOnly(trial).build();
    return admin.groups(stub -> stub.delete(request)).getOffsetsList();
  }
}
