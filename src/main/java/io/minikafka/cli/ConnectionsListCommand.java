package io.minikafka.cli;

import io.minikafka.admin.v1.BrokerServiceListConnectionsRequest;
import io.minikafka.admin.v1.BrokerServiceListConnectionsResponse;
import io.minikafka.admin.v1.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the connections to the data port, the oldest first.",
    footer = {
      "",
      "IN-FLIGHT are requests without an answer yet; PARKED are those of them that wait for records or"
          + " for their group.",
      "",
      "Examples:",
      "  minikafka connections list",
      "  minikafka connections list --output json"
    })
final class ConnectionsListCommand implements Callable<Integer> {
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    return list(spec, output, admin);
  }

  static int list(CommandSpec spec, OutputOption output, AdminOption admin) throws IOException {
    List<Connection> connections = new ArrayList<>();
    String page = "";
    do {
      BrokerServiceListConnectionsRequest request =
          BrokerServiceListConnectionsRequest.newBuilder()
              .setPageSize(1_000)
              .setPageToken(page)
              .build();
      BrokerServiceListConnectionsResponse answer =
          admin.broker(stub -> stub.listConnections(request));
      connections.addAll(answer.getConnectionsList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    if (output.isJson()) {
      for (Connection connection : connections) {
        Json.line(System.out, json -> ConnectionText.json(json, connection));
      }
    } else if (connections.isEmpty()) {
      spec.commandLine().getErr().println("nobody is connected to the data port");
    } else {
      ConnectionText.table(connections).print(spec.commandLine().getOut());
    }
    return 0;
  }
}
