package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.Names;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceCreateResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Creates a topic.",
    footer = {
      "",
      "Examples:",
      "  minikafka topic create access --partitions 8",
      "  minikafka topic create audit --config retention.ms=-1",
    })
final class TopicCreateCommand implements Change {
  @Parameters(paramLabel = "TOPIC", description = "1 to 200 of A-Z a-z 0-9 . _ -")
  String topic = "";

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "1",
      converter = WholeNumber.PartitionCount.class,
      description = "1 to 10000 (1).")
  int partitions;

  @Option(
      names = "--config",
      paramLabel = "KEY=VALUE",
      description = "A setting of this topic; may be repeated. describe shows them all.")
  List<String> config = new ArrayList<>();

  @Option(names = "--dry-run", description = "Only check; create nothing.")
  boolean dryRun;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Names.topicNameError(topic)
        .ifPresent(
            wrong -> {
              throw new ParameterException(spec.commandLine(), wrong);
            });
    TopicServiceCreateRequest request =
        TopicServiceCreateRequest.newBuilder()
            .setName(topic)
            .setPartitionCount(partitions)
            .putAllSettings(KeyValues.parse(config, spec))
            .setValidateOnly(dryRun)
            .build();
    TopicServiceCreateResponse answer = admin.call(stub -> stub.create(request));
    output.print(
        spec,
        json -> {
          TopicJson.topic(json, answer.getTopic());
          json.writeBooleanField("dryRun", dryRun);
        },
        dryRun
            ? "would create %s with %s".formatted(topic, Counted.of(partitions, "partition"))
            : "created %s with %s, id %s"
                .formatted(topic, Counted.of(partitions, "partition"), answer.getTopic().getId()));
    return 0;
  }
}
