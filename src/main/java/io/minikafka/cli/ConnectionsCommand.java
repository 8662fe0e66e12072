package io.minikafka.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Who is connected to the data port; without a subcommand it lists them. */
@Command(
    name = "connections",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "[COMMAND]",
    description = "Lists the connections to the data port, or closes one.",
    footer = {
      "",
      "Examples:",
      "  minikafka connections",
      "  minikafka connections --output json",
      "  minikafka connections close 17"
    },
    subcommands = {ConnectionsListCommand.class, ConnectionsCloseCommand.class})
final class ConnectionsCommand implements Callable<Integer> {
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    return ConnectionsListCommand.list(spec, output, admin);
  }
}
