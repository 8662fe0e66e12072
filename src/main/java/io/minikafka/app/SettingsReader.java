package io.minikafka.app;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@link BrokerSettings} from where the service will read them, without booting it, so that a
 * wrong value is one line on the terminal and not a stack trace in a log.
 *
 * <p>Stateless; any thread.
 */
public final class SettingsReader {
  private static final Pattern PREFIX = Pattern.compile("\\bSRCFG\\d{5}: |^[a-zA-Z.]+Exception: ");
  private static final Pattern UNKNOWN =
      Pattern.compile("(\\S+)(?: in \\S+)? does not map to any root");
  private static final Pattern EMPTY =
      Pattern.compile("The config property (\\S+) is defined as the empty String");
  private static final Pattern UNCONVERTED =
      Pattern.compile(
          "The config property (\\S+) with the config value (\".*\") threw an Exception whilst being"
              + " converted (.*)");
  private static final Pattern CHOICE = Pattern.compile("allowed values: (.*)");
  private static final Pattern NUMBER = Pattern.compile("Expected an? (?:integer|long) value");

  private SettingsReader() {}

  /** What reading gave. */
  public sealed interface Outcome {
    /** Settings within their bounds. */
    record Valid(BrokerSettings settings) implements Outcome {}

    /** At least one line that names a setting, its value and what it must be. */
    record Refused(List<String> problems) implements Outcome {}
  }

  /** Reads system properties, environment and configuration files as they are now. */
  public static Outcome read() {
    SmallRyeConfig config;
    try {
      config = ConfigUtils.configBuilder().withMapping(BrokerSettings.class).build();
    } catch (ConfigValidationException e) {
      List<String> problems = new ArrayList<>();
      for (int i = 0; i < e.getProblemCount(); i++) {
        problems.add(inOneLine(e.getProblem(i).getMessage()));
      }
      return new Outcome.Refused(problems);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      // An expression that names nothing, or a file that cannot be parsed.
      return new Outcome.Refused(List.of(inOneLine(String.valueOf(e.getMessage()))));
    }
    return check(config.getConfigMapping(BrokerSettings.class));
  }

  /** Holds settings that were read in another way against their bounds. */
  public static Outcome check(BrokerSettings settings) {
    List<String> violations = SettingBounds.violations(settings);
    return violations.isEmpty() ? new Outcome.Valid(settings) : new Outcome.Refused(violations);
  }

  /** A problem as the configuration library words it, in the words of the other errors. */
  private static String inOneLine(String problem) {
    String line = PREFIX.matcher(problem).replaceAll("").replaceAll("\\s+", " ").strip();
    Matcher unknown = UNKNOWN.matcher(line);
    if (unknown.find()) {
      return unknown.group(1) + " is no setting";
    }
    Matcher empty = EMPTY.matcher(line);
    if (empty.find()) {
      return empty.group(1) + " is empty";
    }
    Matcher unconverted = UNCONVERTED.matcher(line);
    if (unconverted.find()) {
      return unconverted.group(1) + " is " + unconverted.group(2) + wanted(unconverted.group(3));
    }
    return line;
  }

  private static String wanted(String reason) {
    Matcher choice = CHOICE.matcher(reason);
    if (choice.find()) {
      return ", must be one of " + choice.group(1).replace(",", ", ");
    }
    return NUMBER.matcher(reason).find() ? ", must be a whole number" : ": " + reason;
  }
}
