package io.minikafka.cli;

import io.minikafka.bench.IdleProcess;
import io.minikafka.client.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code bench idle} starts to hold its idle connections; told what to do line by line. */
@Command(name = "hold", hidden = true, description = "Holds idle connections, as it is told.")
final class BenchHoldCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "HOST:PORT",
      converter = BrokerOption.Address.class,
      description = "The broker.")
  @Nullable ServerAddress server;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if (server != null) {
      IdleProcess.run(server, lines, spec.commandLine().getOut());
    }
    return 0;
  }
}
