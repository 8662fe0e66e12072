package io.minikafka.cli;

import io.minikafka.client.GroupSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** As which member of which group {@code consume} reads. */
final class GroupOption {
  private static final Duration MIN_SESSION = Duration.ofMillis(100);
  private static final Duration MAX_SESSION = Duration.ofMinutes(30);
  private static final int MAX_NAME_LENGTH = 200;

  @Option(
      names = "--group",
      paramLabel = "G",
      description = "Read as a member of this group and commit what was printed.")
  @Nullable String group;

  @Option(
      names = "--instance",
      paramLabel = "NAME",
      description =
          "Static member: its partitions wait for it when it ends, and its next run takes over at"
              + " once.")
  @Nullable String instance;

  @Option(
      names = "--session",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "A member silent for so long is given up (10s): seconds, or 500ms, 2.5s, 5m; 100 ms to"
              + " 30 min.")
  @Nullable Duration session;

  /**
   * Empty if no group is named.
   *
   * @throws ParameterException if an option has no sense or is out of its bounds
   */
  Optional<GroupSettings> settings(CommandSpec spec) {
    if (group == null) {
      if (instance != null || session != null) {
        throw new ParameterException(spec.commandLine(), "--instance and --session need a --group");
      }
      return Optional.empty();
    }
    Duration silent = session == null ? Duration.ofSeconds(10) : session;
    if (silent.compareTo(MIN_SESSION) < 0 || silent.compareTo(MAX_SESSION) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--session is %s, must be 100 ms … 30 min".formatted(DurationConverter.inWords(silent)));
    }
    checkName(spec, "--group", group, 1);
    checkName(spec, "--instance", instance == null ? "" : instance, 0);
    return Optional.of(
        GroupSettings.builder(group)
            .instance(instance == null ? "" : instance)
            .sessionMs((int) silent.toMillis())
            .autoCommit(false)
            .topicRefreshMs(5_000)
            .build());
  }

  private static void checkName(CommandSpec spec, String option, String name, int least) {
    if (name.length() < least || name.length() > MAX_NAME_LENGTH) {
      throw new ParameterException(
          spec.commandLine(),
          "%s is a name of %d characters, must be %d … %d"
              .formatted(option, name.length(), least, MAX_NAME_LENGTH));
    }
  }
}
