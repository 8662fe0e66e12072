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
          "The config property (\\S+) with the config value \"(.*)\" threw an Exception whilst being"
              + " converted (.*)");
  private static final Pattern CHOICE = Pattern.compile("allowed values: (.*)");
  private static final Pattern NUMBER = Pattern.compile("Expected an? (integer|long) value");
  private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");

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
      return unconverted(unconverted.group(1), unconverted.group(2), unconverted.group(3));
    }
    return line;
  }

  private static String unconverted(String name, String value, String reason) {
    Matcher number = NUMBER.matcher(reason);
    boolean isNumber = number.find();
    if (isNumber && DIGITS.matcher(value).matches()) {
      return "%s is %s, must be %s"
          .formatted(
              name,
              value,
              SettingBounds.bounds(name)
                  .orElseGet(() -> boundsOfType(number.group(1).equals("long"))));
    }
    String quoted = "%s is \"%s\"".formatted(name, value);
    if (isNumber) {
      return quoted + ", must be a whole number";
    }
    Matcher choice = CHOICE.matcher(reason);
    return choice.find()
        ? quoted + ", must be one of " + choice.group(1).replace(",", ", ")
        : quoted + ": " + reason;
  }

  private static String boundsOfType(boolean isLong) {
    return isLong
        ? Long.MIN_VALUE + " to " + Long.MAX_VALUE
        : Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;
  }
}
