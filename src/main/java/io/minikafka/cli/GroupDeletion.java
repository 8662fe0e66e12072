package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.admin.v1.CommittedPartition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands that delete of a group have in common: show, ask, delete, tell. */
abstract class GroupDeletion implements Change {
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
    tellForSure(deleteIdle(false));
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
        json -> write(json, deleted),
        (dryRun ? "would delete " : "deleted ") + inWords(deleted));
  }

  /** What is gone is known to nobody else. */
  private void tellForSure(List<CommittedPartition> deleted) throws IOException {
    tell(deleted);
    if (!output.isJson()) {
      return;
    }
    try {
      StandardOutput.check(spec.commandLine().getOut());
    } catch (IOException e) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      Json.line(line, json -> write(json, deleted));
      PrintWriter err = spec.commandLine().getErr();
      err.print(line.toString(StandardCharsets.UTF_8));
      err.flush();
    }
  }

  private void write(JsonGenerator json, List<CommittedPartition> deleted) throws IOException {
    json.writeStringField("group", group);
    json.writeBooleanField("dryRun", dryRun);
    ResetOutput.committed(json, deleted);
  }
}
