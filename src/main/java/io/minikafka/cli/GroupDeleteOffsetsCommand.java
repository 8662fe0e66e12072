package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsRequest;
import io.minikafka.admin.v1.TopicPartitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "delete-offsets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes what a group without members has committed for some partitions.",
    footer = {
      "",
      "Its next member begins there where its reset policy says. Shows first what goes; on a terminal"
          + " it asks then, elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka group delete-offsets invoices --topic orders",
      "  minikafka group delete-offsets invoices --topic orders:0,3 --yes"
    })
final class GroupDeleteOffsetsCommand extends GroupDeletion {
  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC[:N,N…]",
      converter = PartitionsConverter.class,
      description = "These partitions, or all of a topic; may be repeated.")
  List<TopicPartitions> topics = new ArrayList<>();

  @Override
  List<CommittedPartition> delete(boolean validateOnly) throws IOException {
    GroupServiceDeleteOffsetsRequest request =
        GroupServiceDeleteOffsetsRequest.newBuilder()
            .setGroup(group)
            .addAllPartitions(topics)
            .setValidateOnly(validateOnly)
            .build();
    return admin.groups(stub -> stub.deleteOffsets(request)).getOffsetsList();
  }

  @Override
  String question() {
    return "Delete these offsets of group %s?".formatted(group);
  }

  @Override
  String inWords(List<CommittedPartition> deleted) {
    return "%s of group %s".formatted(Counted.of(deleted.size(), "offset"), group);
  }
}
