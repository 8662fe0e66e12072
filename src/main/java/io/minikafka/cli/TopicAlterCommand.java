package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "alter",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Changes a topic's settings, or adds partitions.",
    footer = {
      "",
      "More partitions change the partition of many keys; none can be taken away.",
      "",
      "Examples:",
      "  minikafka topic alter access --config retention.ms=86400000",
      "  minikafka topic alter access --reset retention.ms",
      "  minikafka topic alter access --partitions 16"
    })
final class TopicAlterCommand implements Change {
  @Parameters(paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Option(
      names = "--config",
      paramLabel = "KEY=VALUE",
      description = "Set a setting of this topic; may be repeated.")
  List<String> config = new ArrayList<>();

  @Option(
      names = "--reset",
      paramLabel = "KEY",
      description = "Let a setting follow the broker's default again; may be repeated.")
  List<String> reset = new ArrayList<>();

  @Option(
      names = "--partitions",
      paramLabel = "N",
      converter = WholeNumber.PartitionCount.class,
      description = "How many partitions there shall be, more than there are.")
  @Nullable Integer partitions;

  @Option(names = "--dry-run", description = "Only check; change nothing.")
  boolean dryRun;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Map<String, String> set = KeyValues.parse(config, spec);
    boolean settings = !set.isEmpty() || !reset.isEmpty();
    if (settings == (partitions != null)) {
      throw new ParameterException(
          spec.commandLine(), "give either --config and --reset, or --partitions");
    }
    if (partitions != null) {
      addPartitions(partitions);
    } else {
      changeSettings(set);
    }
    return 0;
  }

  private void changeSettings(Map<String, String> set) throws IOException {
    TopicServiceUpdateConfigRequest request =
        TopicServiceUpdateConfigRequest.newBuilder()
            .setName(topic)
            .putAllSet(set)
            .addAllReset(reset)
            .setValidateOnly(dryRun)
            .build();
    TopicServiceUpdateConfigResponse answer = admin.call(stub -> stub.updateConfig(request));
    if (output.isJson()) {
      Json.line(
          System.out,
          json -> {
            TopicJson.topic(json, answer.getTopic());
            json.writeBooleanField("dryRun", dryRun);
            TopicJson.settings(json, answer.getSettingsList());
          });
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Setting setting : answer.getSettingsList()) {
      if (set.containsKey(setting.getKey()) || reset.contains(setting.getKey())) {
        out.println(
            "%s %s = %s (%s)"
                .formatted(
                    dryRun ? "would be:" : "is now:",
                    setting.getKey(),
                    setting.getValue(),
                    TopicJson.source(setting)));
      }
    }
  }

  private void addPartitions(int count) throws IOException {
    TopicServiceAddPartitionsRequest request =
        TopicServiceAddPartitionsRequest.newBuilder()
            .setName(topic)
            .setPartitionCount(count)
            .setValidateOnly(dryRun)
            .build();
    var answer = admin.call(stub -> stub.addPartitions(request));
    output.print(
        spec,
        json -> {
          TopicJson.topic(json, answer.getTopic());
          json.writeBooleanField("dryRun", dryRun);
        },
        "%s %s %s".formatted(topic, dryRun ? "would have" : "has", Counted.of(count, "partition")));
  }
}
