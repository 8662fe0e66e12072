package io.minikafka.cli;

import static java.util.stream.Collectors.toMap;

import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupServiceDescribeRequest;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.Member;
import io.minikafka.admin.v1.PartitionLag;
import io.minikafka.admin.v1.Rebalance;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows groups: their members, how far they have read, their last rebalances.",
    footer = {
      "",
      "LAG is how many records are left to read, LAG-SECONDS how old the oldest of them is. DELETED"
          + " are records that went unread; DELETES-IN is when retention may take the oldest"
          + " unread one, by time or by bytes that are appended. - stands for what is not known.",
      "",
      "Examples:",
      "  minikafka group describe billing",
      "  minikafka group describe billing search --topic orders",
      "  minikafka group describe --all-groups --state rebalancing --output json"
    })
final class GroupDescribeCommand implements Callable<Integer> {
  @Mixin GroupsParameters groups;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Set<String> named = groups.names(spec);
    if (named.isEmpty() && !groups.all) {
      throw new ParameterException(spec.commandLine(), "give a GROUP, or --all-groups");
    }
    List<String> missing = new ArrayList<>();
    int shown = 0;
    for (String name : groups.all ? GroupListCommand.names(admin) : named) {
      try {
        GroupServiceDescribeResponse answer = describe(name);
        if (groups.wants(answer.getGroup().getState())) {
          show(narrowed(answer), shown++ == 0);
        }
      } catch (CallFailedException e) {
        if (!e.reason().equals(CallFailedException.UNKNOWN_GROUP)) {
          throw e;
        }
        missing.add(name);
      }
    }
    // One of all that was listed may have been deleted since.
    if (!missing.isEmpty() && !groups.all) {
      throw CallFailedException.unknownGroups(missing);
    }
    return 0;
  }

  private GroupServiceDescribeResponse describe(String name) throws IOException {
    GroupServiceDescribeRequest request =
        GroupServiceDescribeRequest.newBuilder().setGroup(name).build();
    return admin.groups(stub -> stub.describe(request));
  }

  private GroupServiceDescribeResponse narrowed(GroupServiceDescribeResponse answer) {
    List<PartitionLag> wanted = groups.wanted(answer.getPartitionsList());
    return answer.toBuilder()
        .setGroup(groups.narrowed(answer.getGroup(), wanted))
        .clearPartitions()
        .addAllPartitions(wanted)
        .build();
  }

  private void show(GroupServiceDescribeResponse answer, boolean first) throws IOException {
    if (output.isJson()) {
      Json.line(System.out, json -> GroupJson.described(json, answer));
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    if (!first) {
      out.println();
    }
    print(answer, out);
  }

  private static void print(GroupServiceDescribeResponse answer, PrintWriter out) {
    Group group = answer.getGroup();
    out.println(
        "%s is %s, generation %d, assignor %s"
            .formatted(
                group.getName(),
                GroupWords.state(group.getState()),
                group.getGeneration(),
                group.getAssignor()));
    if (answer.getMembersCount() > 0) {
      out.println();
      members(answer.getMembersList()).print(out);
    }
    if (answer.getPartitionsCount() > 0) {
      out.println();
      partitions(answer).print(out);
    }
    if (answer.getRebalancesCount() > 0) {
      out.println();
      rebalances(answer.getRebalancesList()).print(out);
    }
    answer.getPartitionsList().stream()
        .filter(lag -> !lag.getOfflineReason().isEmpty())
        .forEach(
            lag ->
                out.println(
                    "%s-%d is offline: %s"
                        .formatted(lag.getTopic(), lag.getPartition(), lag.getOfflineReason())));
  }

  private static Table members(List<Member> members) {
    Table table =
        new Table(
            "MEMBER",
            "INSTANCE",
            "CLIENT",
            "HOST",
            "STATE",
            "HEARD-AGO",
            "SESSION",
            "OWNS",
            "PENDING");
    for (Member member : members) {
      table.row(
          member.getId(),
          orDash(member.getInstanceId()),
          orDash(member.getClientId()),
          orDash(member.getHost()),
          GroupWords.state(member.getState()),
          GroupWords.inWords(member.getSessionAge()),
          GroupWords.inWords(member.getSessionTimeout()),
          member.getOwnedCount(),
          member.getPendingCount());
    }
    return table;
  }

  private static LagTable partitions(GroupServiceDescribeResponse answer) {
    Map<String, Member> members =
        answer.getMembersList().stream().collect(toMap(Member::getId, Function.identity()));
    LagTable table =
        new LagTable(
            "TOPIC",
            "PARTITION",
            "COMMITTED",
            "START",
            "HIGH-WATERMARK",
            "LAG",
            "LAG-SECONDS",
            "DELETED",
            "DELETES-IN",
            "OWNER",
            "CLIENT",
            "HOST");
    for (PartitionLag lag : answer.getPartitionsList()) {
      Member owner = members.getOrDefault(lag.getOwner(), Member.getDefaultInstance());
      table.row(
          lag,
          lag.getTopic(),
          lag.getPartition(),
          GroupWords.orDash(lag.hasCommittedOffset(), lag.getCommittedOffset()),
          lag.getLogStartOffset(),
          lag.getHighWatermark(),
          GroupWords.orDash(lag.hasLagRecords(), lag.getLagRecords()),
          GroupWords.orDash(lag.hasLagTime(), GroupWords.seconds(lag.getLagTime())),
          lag.getDeletedUnreadRecords(),
          deletion(lag),
          orDash(lag.getOwner()),
          orDash(owner.getClientId()),
          orDash(owner.getHost()));
    }
    return table;
  }

  private static String deletion(PartitionLag lag) {
    String time = lag.hasTimeUntilDeletion() ? GroupWords.inWords(lag.getTimeUntilDeletion()) : "";
    String bytes = lag.hasBytesUntilDeletion() ? Sizes.inWords(lag.getBytesUntilDeletion()) : "";
    String both = time.isEmpty() || bytes.isEmpty() ? time + bytes : time + " or " + bytes;
    return orDash(both);
  }

  private static Table rebalances(List<Rebalance> rebalances) {
    Table table = new Table("REBALANCE", "BEGAN", "TOOK", "MEMBERS", "MOVED", "WHY");
    for (Rebalance rebalance : rebalances) {
      table.row(
          rebalance.getGeneration(),
          GroupWords.instant(rebalance.getStartedAt()),
          took(rebalance),
          rebalance.getMemberCount(),
          rebalance.getMovedPartitionCount(),
          String.join("; ", rebalance.getReasonsList()));
    }
    return table;
  }

  private static String took(Rebalance rebalance) {
    if (rebalance.hasDuration()) {
      return GroupWords.inWords(rebalance.getDuration());
    }
    return rebalance.getSuperseded() ? "superseded" : "under way";
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
