package io.minikafka.cli;

import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupLag;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.GroupServiceListResponse;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the consumer groups by name, with their lag.",
    footer = {
      "",
      "LAG is of the partitions whose lag is known; UNKNOWN counts the others: nothing is committed",
      "for them, or they are offline.",
      "",
      "Examples:",
      "  minikafka group list",
      "  minikafka group list --topic orders",
      "  minikafka group list --state rebalancing --output json"
    })
final class GroupListCommand implements Callable<Integer> {
  @Option(
      names = "--state",
      paramLabel = "empty|stable|rebalancing",
      description = "Only groups in this state.")
  @Nullable WantedState state;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description =
          "Only groups that have committed to this topic, or have subscribed to it; what is shown of"
              + " them is of all their topics.")
  @Nullable String topic;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Group> all = topic == null ? all(admin) : concernedWith(topic);
    List<Group> groups =
        all.stream().filter(group -> state == null || state.is(group.getState())).toList();
    if (output.isJson()) {
      for (Group group : groups) {
        Json.line(System.out, json -> GroupJson.group(json, group));
      }
      return 0;
    }
    if (groups.isEmpty()) {
      spec.commandLine().getErr().println(topic == null ? noneIn(all) : noneOf(topic));
      return 0;
    }
    Table table =
        new Table(
            "GROUP",
            "STATE",
            "GENERATION",
            "ASSIGNOR",
            "MEMBERS",
            "COMMITTED",
            "LAG",
            "LAG-SECONDS",
            "UNKNOWN");
    for (Group group : groups) {
      table.row(
          group.getName(),
          GroupWords.state(group.getState()),
          group.getGeneration(),
          group.getAssignor(),
          group.getMemberCount(),
          group.getCommittedPartitionCount(),
          group.getTotalLagRecords(),
          group.hasMaxLagTime() ? GroupWords.seconds(group.getMaxLagTime()) : "-",
          group.getUnknownLagPartitionCount());
    }
    table.print(spec.commandLine().getOut());
    return 0;
  }

  private String noneIn(List<Group> all) {
    return all.isEmpty() ? "there are no groups yet" : "no group is " + state;
  }

  private String noneOf(String topic) {
    return state == null
        ? "no group has committed to %s, or has subscribed to it".formatted(topic)
        : "no group that has committed to %s, or has subscribed to it, is %s"
            .formatted(topic, state);
  }

  /** One look at the lag of all groups knows their partitions; a list does not. */
  private List<Group> concernedWith(String topic) throws IOException {
    SequencedMap<String, Group> found = new LinkedHashMap<>();
    admin.groupParts(
        true,
        stub -> stub.watchLag(GroupServiceWatchLagRequest.getDefaultInstance()),
        part -> {
          for (GroupLag group : part.getGroupsList()) {
            if (group.getPartitionsList().stream().anyMatch(lag -> lag.getTopic().equals(topic))) {
              found.put(group.getGroup().getName(), group.getGroup());
            }
          }
          return part.getMore();
        });
    if (found.isEmpty()) {
      // Or there is no such topic: that is for the broker to say.
      admin.call(
          stub -> stub.describe(TopicServiceDescribeRequest.newBuilder().setName(topic).build()));
    }
    return List.copyOf(found.values());
  }

  /** By name. */
  static List<String> names(AdminOption admin) throws IOException {
    return all(admin).stream().map(Group::getName).toList();
  }

  private static List<Group> all(AdminOption admin) throws IOException {
    List<Group> groups = new ArrayList<>();
    String page = "";
    do {
      GroupServiceListRequest request =
          GroupServiceListRequest.newBuilder().setPageSize(1_000).setPageToken(page).build();
      GroupServiceListResponse answer = admin.groups(stub -> stub.list(request));
      groups.addAll(answer.getGroupsList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    return groups;
  }
}
