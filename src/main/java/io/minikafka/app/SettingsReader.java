package io.minikafka.app;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Reads {@link BrokerSettings} from where the service will read them, without booting it, so that a
 * wrong value is one line on the terminal and not a stack trace in a log.
 *
 * <p>Stateless; any thread.
 */
public final class SettingsReader {
  private SettingsReader() {}

  /** What reading gave. */
  public sealed interface Outcome {
    /**
     * Settings within their bounds.
     *
     * @param http empty if it is wrong, which the framework tells
     */
    record Valid(BrokerSettings settings, Optional<HttpAddress> http) implements Outcome {}

    /** At least one line that names a setting, its value and what it must be. */
    record Refused(List<String> problems) implements Outcome {}
  }

  /** Reads system properties, environment and configuration files as they are now. */
  public static Outcome read() {
    SmallRyeConfig config;
    try {
      config = ConfigUtils.configBuilder().withMapping(BrokerSettings.class).build();
    } catch (ConfigValidationException e) {
      return new Outcome.Refused(ConfigProblems.inWords(e));
    } catch (IllegalArgumentException | NoSuchElementException e) {
      // An expression that names nothing, or a file that cannot be parsed.
      return new Outcome.Refused(List.of(ConfigProblems.inOneLine(String.valueOf(e.getMessage()))));
    }
    BrokerSettings settings = config.getConfigMapping(BrokerSettings.class);
    List<String> violations = SettingBounds.violations(settings);
    return violations.isEmpty()
        ? new Outcome.Valid(settings, HttpAddress.of(config, settings))
        : new Outcome.Refused(violations);
  }
}
