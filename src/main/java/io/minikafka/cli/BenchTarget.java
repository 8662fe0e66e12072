package io.minikafka.cli;

import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.bench.OwnBroker;
import io.minikafka.bench.Plan;
import io.minikafka.bench.Target;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The broker of a run: the one that was named, one that is started and ended, or none. */
final class BenchTarget implements AutoCloseable {
  private final Optional<Target> target;
  private final @Nullable OwnBroker own;

  private BenchTarget(Optional<Target> target, @Nullable OwnBroker own) {
    this.target = target;
    this.own = own;
  }

  static BenchTarget of(Plan plan, BenchOptions options, CommandSpec spec)
      throws IOException, InterruptedException {
    if (!plan.needsBroker()) {
      return new BenchTarget(Optional.empty(), null);
    }
    ServerAddress named = options.broker;
    if (named != null) {
      Optional<ServerAddress> http = Optional.ofNullable(options.admin);
      return new BenchTarget(Optional.of(new Target(named, http, BenchTarget::remove)), null);
    }
    Files.createDirectories(options.out);
    OwnBroker own =
        OwnBroker.start(command(options), options.dataDir(), options.out.resolve("broker.log"));
    spec.commandLine().getErr().println("a broker serves on %s for the run".formatted(own.data()));
    Target target = new Target(own.data(), Optional.of(own.http()), BenchTarget::remove);
    return new BenchTarget(Optional.of(target), own);
  }

  private static OwnBroker.Command command(BenchOptions options) throws IOException {
    Path program =
        ProgramFile.find()
            .orElseThrow(
                () ->
                    new IOException(
                        "the program to start a broker with was not found beside"
                            + " quarkus-app/quarkus-run.jar; --broker names one that runs"));
    List<String> flags = new ArrayList<>();
    options.settings.forEach((name, value) -> flags.add("-D" + name + "=" + value));
    return new OwnBroker.Command(
        List.of(program.toString()), flags, Optional.ofNullable(options.brokerJavaOpts));
  }

  private static void remove(ServerAddress http, String topic) throws IOException {
    AdminOption admin = new AdminOption();
    admin.address = http;
    admin.call(stub -> stub.delete(TopicServiceDeleteRequest.newBuilder().setName(topic).build()));
  }

  /** Empty if the plan needs none. */
  Optional<Target> target() {
    return target;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
