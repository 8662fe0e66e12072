package io.minikafka.main;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code minikafka serve} as picocli knows it: it tells what the flags are, and what is wrong with
 * words that are none. {@link ServeWords} does what they say.
 */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Runs the broker until it is told to stop (SIGTERM or Ctrl-C).",
    footer = {
      "",
      "A flag sets the default of its setting; a topic's own setting wins. docs/SETTINGS.md lists"
          + " them all.",
      "",
      "Examples:",
      "  minikafka serve",
      "  minikafka serve --data-dir /var/lib/minikafka --host 127.0.0.1",
      "  minikafka serve --port 0 --http-port 0 --flush none -D quarkus.log.level=DEBUG"
    })
final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where everything is kept (./minikafka-data).")
  @Nullable String dataDir;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address of the data port and the HTTP port (0.0.0.0; :: is IPv6 too).")
  @Nullable String host;

  @Option(names = "--port", paramLabel = "N", description = "Data port (9092); 0: any free one.")
  @Nullable String port;

  @Option(
      names = "--http-port",
      paramLabel = "N",
      description = "Port of gRPC, metrics and health (8080); 0: any free one.")
  @Nullable Integer httpPort;

  @Option(
      names = "--segment-bytes",
      paramLabel = "BYTES",
      description = "Size beyond which a segment is sealed (67108864).")
  @Nullable String segmentBytes;

  @Option(
      names = "--index-interval",
      paramLabel = "BYTES",
      description = "Bytes of log between two index entries (4096).")
  @Nullable String indexInterval;

  @Option(
      names = "--retention-bytes",
      paramLabel = "BYTES",
      description = "Bytes a partition keeps (-1: everything).")
  @Nullable String retentionBytes;

  @Option(
      names = "--retention-ms",
      paramLabel = "MS",
      description = "Milliseconds a record is kept at least (-1: for ever).")
  @Nullable String retentionMs;

  @Option(
      names = "--flush",
      paramLabel = "POLICY",
      description =
          "When an append is acknowledged: none, interval, or commit (the default: once it is on"
              + " stable storage).")
  @Nullable String flush;

  @Option(
      names = {"-D", "-P"},
      paramLabel = "NAME=VALUE",
      description = "Any other setting or Quarkus property; may be repeated.")
  Map<String, String> properties = new LinkedHashMap<>();

  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    return words().run(problem -> say(spec.commandLine(), problem));
  }

  ServeWords words() {
    Map<String, String> flags = new LinkedHashMap<>();
    for (String flag : ServeWords.SETTING_OF_FLAG.keySet()) {
      Object value = spec.findOption(flag).getValue();
      if (value != null) {
        flags.put(flag, value.toString());
      }
    }
    return new ServeWords(flags, properties);
  }

  static void say(CommandLine command, String problem) {
    String line = command.getCommandSpec().qualifiedName() + ": " + problem;
    command.getErr().println(command.getColorScheme().errorText(line));
  }
}
