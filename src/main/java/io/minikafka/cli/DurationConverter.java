package io.minikafka.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a length of time; a number alone is seconds. Finer than a millisecond is rounded down. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h|d)?");

  @Override
  public Duration convert(String text) {
    Matcher duration = DURATION.matcher(text);
    if (!duration.matches()) {
      throw new TypeConversionException(
          "'%s' is neither seconds (10, 2.5) nor a duration (500ms, 10s, 5m)".formatted(text));
    }
    String unit = duration.group(2);
    long unitMs =
        switch (unit == null ? "s" : unit) {
          case "ms" -> 1;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> 1000;
        };
    return Duration.ofMillis(
        new BigDecimal(duration.group(1)).multiply(BigDecimal.valueOf(unitMs)).longValue());
  }

  static String inWords(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
