package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetResponse;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetResponse;
import io.minikafka.admin.v1.TopicPartitions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Sets what a group has committed: shows first what that does, then does it.",
    footer = {
      "",
      "Without --topic it is all that the group has committed or subscribed to, and what the other"
          + " group of --to-group has committed. The group need not exist. The plan is shown first;"
          + " on a terminal it asks then, elsewhere it wants --yes. With --output json the plan for"
          + " people goes to standard error.",
      "",
      "Examples:",
      "  minikafka group reset invoices --to-earliest --topic orders --dry-run",
      "  minikafka group reset invoices --to-time 2026-01-31T12:00:00Z --yes",
      "  minikafka group reset invoices --to-latest --dry-run --output json > plan",
      "  minikafka group reset invoices --from-file plan --yes",
      "  minikafka group reset invoices --to-current --dry-run --output json > before",
      "  minikafka group reset invoices --shift-by -100 --topic orders:0,3",
      "  minikafka group reset invoices --to-group trial --force",
      "  minikafka group undo invoices"
    })
final class GroupResetCommand implements Change {
  /** A message names no more members. */
  private static final int NAMED_MEMBERS = 5;

  @Parameters(paramLabel = "GROUP", description = "Which group.")
  String group = "";

  @ArgGroup(multiplicity = "1", order = 1)
  ResetTargetOptions target = new ResetTargetOptions();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC[:N,N…]",
      converter = PartitionsConverter.class,
      description = "Only these partitions, or all of a topic; may be repeated.")
  List<TopicPartitions> topics = new ArrayList<>();

  @Option(
      names = "--force",
      description = "Also while the group has members; they read on from the new offsets.")
  boolean force;

  @Option(names = "--dry-run", description = "Only show what it would do; change nothing.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    GroupServicePlanOffsetResetRequest.Builder request =
        GroupServicePlanOffsetResetRequest.newBuilder().setGroup(group).addAllPartitions(topics);
    target.target(request);
    GroupServicePlanOffsetResetResponse plan =
        admin.groups(stub -> stub.planOffsetReset(request.build()));
    PrintWriter out = spec.commandLine().getOut();
    output
        .forPeople(spec, !dryRun && !consent.yes)
        .ifPresent(to -> ResetOutput.table(to, plan.getPartitionsList(), plan.getWarningsList()));
    if (dryRun) {
      if (output.isJson()) {
        json(plan, Optional.empty());
      } else {
        if (isInUse(plan)) {
          out.println(inUse(plan.getMembersList()));
        }
        out.println("nothing was changed");
      }
      return 0;
    }
    if (isInUse(plan)) {
      throw CallFailedException.groupInUse(inUse(plan.getMembersList()));
    }
    if (!consent.isGiven(spec, "Reset group %s?".formatted(group), "resets")) {
      return 1;
    }
    GroupServiceApplyOffsetResetResponse done =
        admin.groups(
            stub ->
                stub.applyOffsetReset(
                    GroupServiceApplyOffsetResetRequest.newBuilder()
                        .setToken(plan.getToken())
                        .setForce(force)
                        .build()));
    if (output.isJson()) {
      json(plan, Optional.of(done));
    } else {
      int changed = done.getChangedPartitionCount();
      out.println(
          changed == 0
              ? "nothing was changed" + ResetOutput.whyNothing(group, plan.getPartitionsList())
              : "reset %s of group %s; minikafka group undo %s puts back what was"
                  .formatted(Counted.of(changed, "partition"), group, group));
    }
    return 0;
  }

  private boolean isInUse(GroupServicePlanOffsetResetResponse plan) {
    return plan.getMembersCount() > 0 && !force;
  }

  private String inUse(List<String> members) {
    return "group %s has %s: %s%s; --force resets it nonetheless"
        .formatted(
            group,
            Counted.of(members.size(), "member"),
            String.join(", ", members.subList(0, Math.min(NAMED_MEMBERS, members.size()))),
            members.size() > NAMED_MEMBERS
                ? " and %d more".formatted(members.size() - NAMED_MEMBERS)
                : "");
  }

  private void json(
      GroupServicePlanOffsetResetResponse plan, Optional<GroupServiceApplyOffsetResetResponse> done)
      throws IOException {
    Json.line(
        System.out,
        json -> {
          json.writeStringField("group", group);
          json.writeBooleanField("dryRun", dryRun);
          json.writeStringField("state", GroupWords.state(plan.getState()));
          Json.strings(json, "memberIds", plan.getMembersList());
          if (done.isPresent()) {
            json.writeNumberField("changedPartitionCount", done.get().getChangedPartitionCount());
          }
          ResetOutput.json(json, plan.getPartitionsList(), plan.getWarningsList());
        });
  }
}
