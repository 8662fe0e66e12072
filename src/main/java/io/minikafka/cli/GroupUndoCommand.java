package io.minikafka.cli;

import io.minikafka.admin.v1.GroupServiceUndoOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "undo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Puts back what the last reset of a group's offsets replaced.",
    footer = {
      "",
      "All of it or nothing: not if somebody has read on since. It works once, and after a restart",
      "of the broker, too. Shows first what it does; on a terminal it asks then,"
          + " elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka group undo invoices --dry-run",
      "  minikafka group undo invoices --yes"
    })
final class GroupUndoCommand implements Change {
  @Parameters(paramLabel = "GROUP", description = "Which group.")
  String group = "";

  @Option(
      names = "--force",
      description = "Also while the group has members; they read on from the old offsets.")
  boolean force;

  @Option(names = "--dry-run", description = "Only show what it would do; change nothing.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    GroupServiceUndoOffsetResetResponse trial = undo(true);
    PrintWriter out = spec.commandLine().getOut();
    output
        .forPeople(spec, !dryRun && !consent.yes)
        .ifPresent(
            to -> {
              to.println(
                  "group %s was reset at %s"
                      .formatted(group, GroupWords.instant(trial.getResetAt())));
              ResetOutput.table(to, trial.getPartitionsList(), List.of());
            });
    if (dryRun) {
      if (output.isJson()) {
        json(trial);
      } else {
        out.println("nothing was changed");
      }
      return 0;
    }
    if (!consent.isGiven(spec, "Undo that reset of group %s?".formatted(group), "undoes it")) {
      return 1;
    }
    GroupServiceUndoOffsetResetResponse done = undo(false);
    if (output.isJson()) {
      json(done);
    } else {
      out.println(
          done.getGroupGone() ? "undone: group %s is gone again".formatted(group) : "undone");
    }
    return 0;
  }

  private GroupServiceUndoOffsetResetResponse undo(boolean trial) throws IOException {
    GroupServiceUndoOffsetResetRequest request =
        GroupServiceUndoOffsetResetRequest.newBuilder()
            .setGroup(group)
            .setForce(force)
            .setValidateOnly(trial)
            .build();
    try {
      return admin.groups(stub -> stub.undoOffsetReset(request));
    } catch (CallFailedException e) {
      throw e.hint(CallFailedException.GROUP_IN_USE, "--force undoes it nonetheless");
    }
  }

  private void json(GroupServiceUndoOffsetResetResponse answer) throws IOException {
    Json.line(
        System.out,
        json -> {
          json.writeStringField("group", group);
          json.writeBooleanField("dryRun", dryRun);
          json.writeStringField("resetAt", GroupWords.instant(answer.getResetAt()).toString());
          json.writeBooleanField("groupGone", answer.getGroupGone());
          ResetOutput.json(json, answer.getPartitionsList(), List.of());
        });
  }
}
