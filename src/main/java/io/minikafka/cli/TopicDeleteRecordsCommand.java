package io.minikafka.cli;

import io.minikafka.admin.v1.DeleteRecordsResult;
import io.minikafka.admin.v1.DeleteRecordsTarget;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "delete-records",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes the oldest records of a partition.",
    footer = {
      "",
      "Examples:",
      "  minikafka topic delete-records access --partition 0 --before 5000",
      "  minikafka topic delete-records access --partition 0 --before -1 --dry-run"
    })
final class TopicDeleteRecordsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Option(names = "--partition", paramLabel = "N", required = true, description = "Which one.")
  int partition;

  @Option(
      names = "--before",
      paramLabel = "OFFSET",
      required = true,
      description = "Records below it go; -1 stands for the high watermark.")
  long before;

  @Option(names = "--dry-run", description = "Only check; delete nothing.")
  boolean dryRun;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TopicServiceDeleteRecordsRequest request =
        TopicServiceDeleteRecordsRequest.newBuilder()
            .setName(topic)
            .addTargets(
                DeleteRecordsTarget.newBuilder().setPartition(partition).setBeforeOffset(before))
            .setValidateOnly(dryRun)
            .build();
    TopicServiceDeleteRecordsResponse answer = admin.call(stub -> stub.deleteRecords(request));
    for (DeleteRecordsResult result : answer.getResultsList()) {
      output.print(
          spec,
          json -> {
            json.writeStringField("topic", topic);
            json.writeNumberField("partition", result.getPartition());
            json.writeNumberField("logStart", result.getLogStartOffset());
          },
          "%s-%d %s at offset %d"
              .formatted(
                  topic,
                  result.getPartition(),
                  dryRun ? "would begin" : "now begins",
                  result.getLogStartOffset()));
    }
    return 0;
  }
}
