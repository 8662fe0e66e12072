package io.minikafka.cli;

import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows a topic's settings and where each partition stands.",
    footer = {"", "Examples:", "  minikafka topic describe access"})
final class TopicDescribeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TopicServiceDescribeRequest request =
        TopicServiceDescribeRequest.newBuilder().setName(topic).build();
    TopicServiceDescribeResponse answer = admin.call(stub -> stub.describe(request));
    if (output.isJson()) {
      Json.line(
          System.out,
          json -> {
            TopicJson.topic(json, answer.getTopic());
            TopicJson.settings(json, answer.getSettingsList());
            TopicJson.partitions(json, answer.getPartitionsList());
          });
    } else {
      print(answer, spec.commandLine().getOut());
    }
    return 0;
  }

  private static void print(TopicServiceDescribeResponse answer, PrintWriter out) {
    out.println(
        "%s, id %s%s"
            .formatted(
                answer.getTopic().getName(),
                answer.getTopic().getId(),
                answer.getTopic().getInternal() ? ", internal" : ""));
    out.println();
    Table settings = new Table("SETTING", "VALUE", "FROM", "ALLOWED");
    for (Setting setting : answer.getSettingsList()) {
      settings.row(
          setting.getKey(), setting.getValue(), TopicJson.source(setting), setting.getAllowed());
    }
    settings.print(out);
    out.println();
    Table partitions =
        new Table(
            "PARTITION", "START", "DURABLE", "HIGH-WATERMARK", "END", "SIZE", "SEGMENTS", "EPOCH");
    for (Partition partition : answer.getPartitionsList()) {
      partitions.row(
          partition.getPartition(),
          partition.getLogStartOffset(),
          partition.getDurableOffset(),
          partition.getHighWatermark(),
          partition.getLogEndOffset(),
          partition.hasSizeBytes() ? Sizes.inWords(partition.getSizeBytes()) : "-",
          partition.hasSegmentCount() ? partition.getSegmentCount() : "-",
          partition.getEpoch());
    }
    partitions.print(out);
    for (Partition partition : answer.getPartitionsList()) {
      partition
          .getDamageList()
          .forEach(
              range ->
                  out.println("%s: %s".formatted(name(answer, partition), LogText.damage(range))));
      int more = partition.getDamagedRangeCount() - partition.getDamageCount();
      if (more > 0) {
        out.println("%s: %d more damaged ranges".formatted(name(answer, partition), more));
      }
    }
    answer.getPartitionsList().stream()
        .filter(partition -> !partition.getOfflineReason().isEmpty())
        .forEach(
            partition ->
                out.println(
                    "%s is offline: %s"
                        .formatted(name(answer, partition), partition.getOfflineReason())));
  }

  private static String name(TopicServiceDescribeResponse answer, Partition partition) {
    return answer.getTopic().getName() + "-" + partition.getPartition();
  }
}
