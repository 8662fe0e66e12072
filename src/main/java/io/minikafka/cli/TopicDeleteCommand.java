package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import java.io.IOException;
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
      "Shows first what goes; on a terminal it asks then, elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka topic delete access",
      "  minikafka topic delete access --yes"
    })
final class TopicDeleteCommand implements Change {
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
    if (!dryRun && !consent.yes) {
      Topic found = delete(true);
      output.forPeople(spec, true).ifPresent(to -> to.println("would delete " + inWords(found)));
    }
    if (!dryRun
        && !consent.isGiven(spec, "Delete %s and all its records?".formatted(topic), "deletes")) {
      return 1;
    }
    Topic deleted = delete(dryRun);
    output.print(
        spec,
        json -> {
          TopicJson.topic(json, deleted);
          json.writeBooleanField("dryRun", dryRun);
        },
        dryRun ? "would delete " + inWords(deleted) : "deleted " + deleted.getName());
    return 0;
  }

  private Topic delete(boolean validateOnly) throws IOException {
    TopicServiceDeleteRequest request =
        TopicServiceDeleteRequest.newBuilder().setName(topic).setValidateOnly(validateOnly).build();
    return admin.call(stub -> stub.delete(request)).getTopic();
  }

  private static String inWords(Topic found) {
    return "%s with %s, id %s"
        .formatted(
            found.getName(), Counted.of(found.getPartitionCount(), "partition"), found.getId());
  }
}
