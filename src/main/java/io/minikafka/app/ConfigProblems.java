package io.minikafka.app;

import io.smallrye.config.ConfigValidationException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts what the configuration library complains of into the words of the other errors: the setting,
 * its value, what it must be.
 *
 * <p>Knows the library's messages; one it does not know is passed on in one line.
 */
public final class ConfigProblems {
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

  private ConfigProblems() {}

  /** One line for each problem. */
  public static List<String> inWords(ConfigValidationException e) {
    // A set: what one setting takes over from another is complained of twice.
    Set<String> problems = new LinkedHashSet<>();
    for (int i = 0; i < e.getProblemCount(); i++) {
      problems.add(inOneLine(e.getProblem(i).getMessage()));
    }
    return List.copyOf(problems);
  }

  static String inOneLine(String problem) {
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
