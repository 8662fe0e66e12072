package io.minikafka.cli;

import io.minikafka.admin.v1.CommittedPartition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands that delete of a group have in common: show, ask, delete, tell. */
abstract class GroupDeletion implements Callable<Integer> {
  @Parameters(paramLabel = "GROUP", description = "Which group.")
  String group = "";

  @Option(names = "--dry-run", description = "Only show what would go; delete nothing.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  GroupDeletion() {}

  /**
   * Makes the call.
   *
   * @return what goes
   */
  abstract List<CommittedPartition> delete(boolean validateOnly) throws IOException;

  abstract String question();

  /** What follows "deleted". */
  abstract String inWords(List<CommittedPartition> deleted);

  @Override
  public final Integer call() throws IOException {
    List<CommittedPartition> offsets = deleteIdle(true);
    output
        .forPeople(spec, !dryRun && !consent.yes)
        .ifPresent(to -> ResetOutput.committed(to, offsets));
    if (dryRun) {
      tell(offsets);
      return 0;
    }
    if (!consent.isGiven(spec, question(), "deletes")) {
      return 1;
    }
    tell(deleteIdle(false));
    return 0;
  }

  private List<CommittedPartition> deleteIdle(boolean validateOnly) throws IOException {
    try {
      return delete(validateOnly);
    } catch (CallFailedException e) {
      throw e.hint(CallFailedException.GROUP_IN_USE, "stop the members first");
    }
  }

  private void tell(List<CommittedPartition> deleted) throws IOException {
    output.print(
        spec,
        json -> {
          json.writeStringField("group", group);
          json.writeBooleanField("dryRun", dryRun);
          ResetOutput.committed(json, deleted);
        },
        (dryRun ? "would delete " : "deleted ") + inWords(deleted));
  }
}
