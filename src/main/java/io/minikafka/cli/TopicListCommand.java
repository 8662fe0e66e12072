package io.minikafka.cli;

import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceListResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the topics by name.",
    footer = {"", "Examples:", "  minikafka topic list", "  minikafka topic list --output json"})
final class TopicListCommand implements Callable<Integer> {
  @Option(names = "--internal", description = "List the broker's own topics too.")
  boolean internal;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Topic> topics = new ArrayList<>();
    String page = "";
    do {
      TopicServiceListRequest request =
          TopicServiceListRequest.newBuilder()
              .setPageSize(1_000)
              .setPageToken(page)
              .setIncludeInternal(internal)
              .build();
      TopicServiceListResponse answer = admin.call(stub -> stub.list(request));
      topics.addAll(answer.getTopicsList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    if (output.isJson()) {
      for (Topic topic : topics) {
        Json.line(System.out, json -> TopicJson.topic(json, topic));
      }
      return 0;
    }
    if (topics.isEmpty()) {
      spec.commandLine().getErr().println("there are no topics yet");
      return 0;
    }
    Table table = new Table("TOPIC", "PARTITIONS", "ID");
    topics.forEach(topic -> table.row(topic.getName(), topic.getPartitionCount(), topic.getId()));
    table.print(spec.commandLine().getOut());
    return 0;
  }
}
