package io.minikafka.cli;

import io.minikafka.bench.Effort;
import io.minikafka.client.ServerAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands of {@code bench} that measure have in common. */
final class BenchOptions {
  private static final int MAX_REPS = 1_000;
  private static final int MAX_MB = 1_000_000;
  private static final Duration LONGEST = Duration.ofHours(1);

  @Option(
      names = "--broker",
      paramLabel = "HOST:PORT",
      converter = BrokerOption.Address.class,
      description = "Measure this running broker instead of one that is started for the run.")
  @Nullable ServerAddress broker;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      converter = BrokerOption.Address.class,
      description =
          "Its HTTP port; without it, what the broker uses is not known and the topics of the run"
              + " stay.")
  @Nullable ServerAddress admin;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "bench-results",
      description = "Where rows.csv and rows.jsonl grow (bench-results).")
  Path out = Path.of("bench-results");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where the started broker and the floors make their files, which go at the end (--out).")
  @Nullable Path dataDir;

  @Option(
      names = "--reps",
      paramLabel = "N",
      description = "Repetitions of a point: median, least and most are kept (3).")
  @Nullable Integer reps;

  @Option(
      names = "--time",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "How long a repetition lasts at most (500ms).")
  @Nullable Duration time;

  @Option(
      names = "--max-mb",
      paramLabel = "MB",
      description = "Megabytes after which a repetition ends earlier (512).")
  @Nullable Integer maxMb;

  @Option(
      names = "--warm-up",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Before the first repetition of each point (300ms).")
  @Nullable Duration warmUp;

  @Option(
      names = "--latency-time",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "How long each latency is measured (10s).")
  @Nullable Duration latencyTime;

  @Option(
      names = "--quick",
      description = "Few points, a moment each: to see that it works. Its figures mean nothing.")
  boolean quick;

  @Option(
      names = "--revision",
      paramLabel = "TEXT",
      description = "What the rows call what is measured (what git says of the program's place).")
  @Nullable String revision;

  @Option(
      names = "--broker-java-opts",
      paramLabel = "OPTIONS",
      description = "JAVA_OPTS of the started broker, -Xmx128m say (those of this command).")
  @Nullable String brokerJavaOpts;

  @Option(
      names = "--peer",
      paramLabel = "DIR",
      description =
          "Where another minikafka is whose start is compared with (plain, beside this one, if it is"
              + " there).")
  @Nullable Path peer;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A setting of the started broker; may be repeated.")
  Map<String, String> settings = new LinkedHashMap<>();

  Path dataDir() {
    return dataDir == null ? out : dataDir;
  }

  /**
   * @throws ParameterException naming the option that is out of its bounds, or that excludes
   *     another
   */
  Effort effort(CommandSpec spec) {
    checkBroker(spec);
    return Effort.of(
        within(spec, "--reps", reps, quick ? 1 : 3, 1, MAX_REPS),
        within(spec, "--time", time, quick ? 50 : 500, 1),
        within(spec, "--warm-up", warmUp, quick ? 20 : 300, 0),
        within(spec, "--latency-time", latencyTime, quick ? 300 : 10_000, 1),
        1_000_000L * within(spec, "--max-mb", maxMb, quick ? 8 : 512, 1, MAX_MB));
  }

  private void checkBroker(CommandSpec spec) {
    if (broker == null && admin != null) {
      throw new ParameterException(spec.commandLine(), "--admin needs a --broker");
    }
    if (broker != null && (brokerJavaOpts != null || !settings.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(),
          "--broker-java-opts and -D are for a broker that is started, --broker names one that runs");
    }
  }

  private static int within(
      CommandSpec spec,
      String option,
      @Nullable Integer value,
      int otherwise,
      int least,
      int most) {
    int given = value == null ? otherwise : value;
    if (given < least || given > most) {
      throw new ParameterException(
          spec.commandLine(), "%s is %d, must be %d to %d".formatted(option, given, least, most));
    }
    return given;
  }

  /** In nanoseconds. */
  private static long within(
      CommandSpec spec, String option, @Nullable Duration value, int otherwiseMs, int leastMs) {
    Duration given = value == null ? Duration.ofMillis(otherwiseMs) : value;
    if (given.toMillis() < leastMs || given.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "%s is %s, must be %d ms to %s"
              .formatted(
                  option,
                  DurationConverter.inWords(given),
                  leastMs,
                  DurationConverter.inWords(LONGEST)));
    }
    return given.toNanos();
  }
}
