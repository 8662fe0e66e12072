package io.minikafka.cli;

import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.bench.OwnBroker;
import io.minikafka.bench.Plan;
import io.minikafka.bench.Programs;
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
  /** Beside the program, if it was built: what its start is compared with. */
  private static final String PLAIN = "plain/minikafka";

  private final Optional<Target> target;
  private final Optional<Programs> programs;
  private final @Nullable OwnBroker own;

  private BenchTarget(
      Optional<Target> target, Optional<Programs> programs, @Nullable OwnBroker own) {
    this.target = target;
    this.programs = programs;
    this.own = own;
  }

  static BenchTarget of(Plan plan, BenchOptions options, CommandSpec spec)
      throws IOException, InterruptedException {
    Optional<Programs> programs = ProgramFile.find().map(program -> programs(program, options));
    ServerAddress named = options.broker;
    if (named != null) {
      Target target =
          Target.running(named, Optional.ofNullable(options.admin), BenchTarget::remove);
      return new BenchTarget(Optional.of(target), programs, null);
    }
    if (plan.startsPrograms() && programs.isEmpty()) {
      throw new IOException(
          "the program to start a broker with was not found beside quarkus-app/quarkus-run.jar;"
              + " --broker names one that runs");
    }
    Files.createDirectories(options.out);
    if (!plan.needsBroker()) {
      return new BenchTarget(Optional.empty(), programs, null);
    }
    Programs known = programs.orElseThrow();
    OwnBroker own = OwnBroker.start(known.broker(), known.parent(), known.log());
    spec.commandLine().getErr().println("a broker serves on %s for the run".formatted(own.data()));
    return new BenchTarget(Optional.of(Target.of(own, BenchTarget::remove)), programs, own);
  }

  private static Programs programs(Path program, BenchOptions options) {
    List<String> flags = new ArrayList<>();
    options.settings.forEach((name, value) -> flags.add("-D" + name + "=" + value));
    Optional<String> javaOpts = Optional.ofNullable(options.brokerJavaOpts);
    Path peer =
        options.peer == null ? program.resolveSibling(PLAIN) : options.peer.resolve("minikafka");
    boolean isThere = options.peer != null || Files.isExecutable(peer);
    return new Programs(
        new OwnBroker.Command(List.of(program.toString()), flags, javaOpts),
        isThere
            ? Optional.of(new OwnBroker.Command(List.of(peer.toString()), flags, javaOpts))
            : Optional.empty(),
        List.of(program.toString(), "bench", "hold"),
        options.dataDir(),
        options.out.resolve("broker.log"),
        BenchTarget::remove);
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

  /** Empty if the program is not found. */
  Optional<Programs> programs() {
    return programs;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
