package io.minikafka.cli;

import io.minikafka.admin.v1.BrokerServiceDescribeRequest;
import io.minikafka.admin.v1.BrokerServiceDescribeResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows what the broker is, how its start went, its changed settings, its disk and how much"
            + " of everything there is.",
    footer = {"", "Examples:", "  minikafka broker info", "  minikafka broker info --output json"})
final class BrokerInfoCommand implements Callable<Integer> {
  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    BrokerServiceDescribeResponse told =
        admin.broker(stub -> stub.describe(BrokerServiceDescribeRequest.getDefaultInstance()));
    if (output.isJson()) {
      Json.line(System.out, json -> BrokerText.json(json, told));
    } else {
      BrokerText.print(told, spec.commandLine().getOut());
    }
    return 0;
  }
}
