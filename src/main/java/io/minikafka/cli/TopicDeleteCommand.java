package io.minikafka.cli;

import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDeleteResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes a topic with all its records. There is no way back.",
    footer = {
      "",
      "On a terminal it asks first; elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka topic delete access",
      "  minikafka topic delete access --yes"
    })
final class TopicDeleteCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TOPIC", description = "Which topic.")
  String topic = "";

  @Option(names = "--dry-run", description = "Only check; delete nothing.")
  boolean dryRun;

  @Mixin ConsentOption consent;
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!dryRun) {
      consent.require(spec, "deletes");
      if (!consent.isGiven("Delete %s and all its records?".formatted(topic))) {
        spec.commandLine().getErr().println("nothing was deleted");
        return 1;
      }
    }
    TopicServiceDeleteRequest request =
        TopicServiceDeleteRequest.newBuilder().setName(topic).setValidateOnly(dryRun).build();
    TopicServiceDeleteResponse answer = admin.call(stub -> stub.delete(request));
    output.print(
        spec,
        json -> TopicJson.topic(json, answer.getTopic()),
        (dryRun ? "would delete " : "deleted ") + answer.getTopic().getName());
    return 0;
  }
}
