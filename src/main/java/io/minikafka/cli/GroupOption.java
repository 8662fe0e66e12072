package io.minikafka.cli;

import io.minikafka.client.GroupSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** As which member of which group {@code consume} reads. */
final class GroupOption {
  private static final int MAX_SESSION_S = 1800;

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
      paramLabel = "SECONDS",
      description = "A member silent for so long is given up (10).")
  @Nullable Integer sessionSeconds;

  /**
   * Empty if no group is named.
   *
   * @throws ParameterException if an option has no sense or is out of its bounds
   */
  Optional<GroupSettings> settings(CommandSpec spec) {
    if (group == null) {
      if (instance != null || sessionSeconds != null) {
        throw new ParameterException(spec.commandLine(), "--instance and --session need a --group");
      }
      return Optional.empty();
    }
    int seconds = sessionSeconds == null ? 10 : sessionSeconds;
    if (seconds < 1 || seconds > MAX_SESSION_S) {
      throw new ParameterException(
          spec.commandLine(),
          "--session is %d, must be 1 … %d seconds".formatted(seconds, MAX_SESSION_S));
    }
    try {
      return Optional.of(
          GroupSettings.builder(group)
              .instance(instance == null ? "" : instance)
              .sessionMs(seconds * 1000)
              .autoCommit(false)
              .topicRefreshMs(5_000)
              .build());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
