package io.minikafka.cli;

import io.minikafka.admin.v1.DeleteRecordsResult;
import io.minikafka.admin.v1.DeleteRecordsTarget;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsResponse;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "delete-records",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes the oldest records of a partition.",
    footer = {
      "",
      "Examples:",
      "  minikafka topic delete-records access 0 --before 5000",
      "  minikafka topic delete-records access 0 --before -1 --dry-run"
    })
final class TopicDeleteRecordsCommand implements Change {
  @Mixin PartitionParameters of;

  @Option(
      names = "--before",
      paramLabel = "OFFSET",
      required = true,
      converter = WholeNumber.OffsetOrEnd.class,
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
            .setName(of.topic)
            .addTargets(
                DeleteRecordsTarget.newBuilder().setPartition(of.partition).setBeforeOffset(before))
            .setValidateOnly(dryRun)
            .build();
    TopicServiceDeleteRecordsResponse answer = admin.call(stub -> stub.deleteRecords(request));
    for (DeleteRecordsResult result : answer.getResultsList()) {
      output.print(
          spec,
          json -> {
            json.writeStringField("topic", of.topic);
            json.writeNumberField("partition", result.getPartition());
            json.writeNumberField("logStartOffset", result.getLogStartOffset());
            json.writeBooleanField("dryRun", dryRun);
          },
          "%s-%d %s at offset %d"
              .formatted(
                  of.topic,
                  result.getPartition(),
                  dryRun ? "would begin" : "now begins",
                  result.getLogStartOffset()));
    }
    return 0;
  }
}
