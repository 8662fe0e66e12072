package io.minikafka.cli;

import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.GroupServiceDeleteRequest;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Deletes a group without members, with all that it has committed.",
    footer = {
      "",
      "Shows first what goes; on a terminal it asks then, elsewhere it wants --yes.",
      "",
      "Examples:",
      "  minikafka group delete invoices",
      "  minikafka group delete invoices --yes --output json > invoices.json",
      "  minikafka group reset invoices --from-file invoices.json"
    })
final class GroupDeleteCommand extends GroupDeletion {
  @Override
  List<CommittedPartition> delete(boolean validateOnly) throws IOException {
    GroupServiceDeleteRequest request =
        GroupServiceDeleteRequest.newBuilder()
            .setGroup(group)
            .setValidateOnly(validateOnly)
            .build();
    return admin.groups(stub -> stub.delete(request)).getOffsetsList();
  }

  @Override
  String question() {
    return "Delete group %s and what it has committed?".formatted(group);
  }

  @Override
  String inWords(List<CommittedPartition> deleted) {
    return "group " + group;
  }
}
