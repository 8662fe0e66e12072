package io.minikafka.cli;

import io.minikafka.admin.v1.BrokerServiceCloseConnectionRequest;
import io.minikafka.admin.v1.Connection;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "close",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Closes a connection to the data port. Its client may come back at once.",
    footer = {
      "",
      "Examples:",
      "  minikafka connections close 17",
      "  minikafka connections close 17 --dry-run"
    })
final class ConnectionsCloseCommand implements Change {
  @Parameters(
      paramLabel = "ID",
      converter = WholeNumber.Count.class,
      description = "Which one, as list shows it.")
  long id;

  @Option(names = "--dry-run", description = "Only check; close nothing.")
  boolean dryRun;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    BrokerServiceCloseConnectionRequest request =
        BrokerServiceCloseConnectionRequest.newBuilder().setId(id).setValidateOnly(dryRun).build();
    Connection closed = admin.broker(stub -> stub.closeConnection(request)).getConnection();
    output.print(
        spec,
        json -> {
          ConnectionText.json(json, closed);
          json.writeBooleanField("dryRun", dryRun);
        },
        "%s connection %d of %s from %s"
            .formatted(
                dryRun ? "would close" : "closed",
                closed.getId(),
                ConnectionText.name(closed),
                closed.getPeer()));
    return 0;
  }
}
