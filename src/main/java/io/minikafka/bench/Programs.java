package io.minikafka.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run can start besides the broker that most of its points are measured on. Immutable.
 *
 * @param broker as that one is started
 * @param peer what the start of a broker is compared with
 * @param idleProcess the words that start {@link IdleProcess#run}
 * @param parent where brokers make their data directories
 * @param log where their output goes
 * @param removal of a topic
 */
public record Programs(
    OwnBroker.Command broker,
    Optional<OwnBroker.Command> peer,
    List<String> idleProcess,
    Path parent,
    Path log,
    Target.Removal removal) {
  /** A broker of its own for a point; these settings stand before those of the command line. */
  OwnBroker start(List<String> settings) throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>();
    settings.forEach(setting -> flags.add("-D" + setting));
    flags.addAll(broker.flags());
    return OwnBroker.start(
        new OwnBroker.Command(broker.program(), flags, broker.javaOpts()), parent, log);
  }

  Target target(OwnBroker started) {
    return Target.of(started, removal);
  }

  /** What was packaged, as a row has it. */
  String variant(OwnBroker.Command command) {
    Path app = Path.of(command.program().getFirst()).toAbsolutePath().resolveSibling("quarkus-app");
    return Files.exists(app.resolve("broker.aot")) ? "AOT cache" : "no AOT cache";
  }
}
