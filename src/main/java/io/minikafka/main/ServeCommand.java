package io.minikafka.main;

import io.minikafka.app.BrokerSettings;
import io.minikafka.app.Descriptors;
import io.minikafka.app.Ending;
import io.minikafka.app.SettingsReader;
import io.quarkus.runtime.Quarkus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code minikafka serve}: hands its flags to the settings, has them checked, boots the service and
 * returns when that has stopped.
 */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
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
    properties.forEach(System::setProperty);
    Map<String, String> flagOfSetting = new LinkedHashMap<>();
    set("--data-dir", "minikafka.data-dir", dataDir, flagOfSetting);
    set("--host", "minikafka.host", host, flagOfSetting);
    set("--port", "minikafka.port", port, flagOfSetting);
    set("--segment-bytes", "minikafka.log.segment-bytes", segmentBytes, flagOfSetting);
    set("--index-interval", "minikafka.log.index-interval-bytes", indexInterval, flagOfSetting);
    set("--retention-bytes", "minikafka.log.retention-bytes", retentionBytes, flagOfSetting);
    set("--retention-ms", "minikafka.log.retention-ms", retentionMs, flagOfSetting);
    set("--flush", "minikafka.log.flush-policy", flush, flagOfSetting);
    if (httpPort != null) {
      if (httpPort < 0 || httpPort > 65_535) {
        return refused("--http-port is " + httpPort + ", must be 0 to 65535");
      }
      System.setProperty("quarkus.http.port", httpPort.toString());
    }
    return switch (SettingsReader.read()) {
      case SettingsReader.Outcome.Refused(List<String> problems) ->
          refused(inTheWordsOfTheFlags(problems, flagOfSetting));
      case SettingsReader.Outcome.Valid(BrokerSettings settings) ->
          Descriptors.error(settings).map(this::failed).orElseGet(() -> run(settings));
    };
  }

  private int failed(String problem) {
    say(problem);
    return ExitCode.SOFTWARE;
  }

  /** Blocks until the service has stopped. */
  private int run(BrokerSettings settings) {
    AtomicInteger exitCode = new AtomicInteger();
    AtomicBoolean told = new AtomicBoolean();
    Quarkus.run(
        null,
        (code, failure) -> {
          if (failure == null) {
            exitCode.set(code);
          } else {
            told.set(true);
            exitCode.set(StartFailure.of(failure, settings.dataDir()).tell(this::say));
          }
        });
    if (!told.get()) {
      Ending.reason().ifPresent(this::say);
    }
    return exitCode.get();
  }

  private static void set(
      String flag, String setting, @Nullable String value, Map<String, String> flagOfSetting) {
    if (value != null) {
      System.setProperty(setting, value);
      flagOfSetting.put(setting, flag);
    }
  }

  private static String inTheWordsOfTheFlags(
      List<String> problems, Map<String, String> flagOfSetting) {
    return problems.stream()
        .map(
            problem -> {
              String setting = problem.substring(0, Math.max(0, problem.indexOf(' ')));
              String flag = flagOfSetting.get(setting);
              return flag == null ? problem : flag + problem.substring(setting.length());
            })
        .reduce((one, other) -> one + "; " + other)
        .orElseThrow();
  }

  private int refused(String problem) {
    say(problem);
    return ExitCode.USAGE;
  }

  private void say(String problem) {
    CommandLine command = spec.commandLine();
    String line = spec.qualifiedName() + ": " + problem;
    command.getErr().println(command.getColorScheme().errorText(line));
  }
}
