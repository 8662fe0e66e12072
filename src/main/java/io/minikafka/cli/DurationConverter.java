package io.minikafka.cli;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a length of time: {@code 90s}, {@code 1h30m}, {@code PT1H}; a number alone is seconds.
 * Finer than a millisecond is rounded down.
 */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final String NUMBER = "\\d{1,9}(?:\\.\\d{1,9})?";
  private static final Pattern SECONDS = Pattern.compile(NUMBER);
  private static final Pattern PART = Pattern.compile("(" + NUMBER + ")(ms|s|m|h|d)");

  /** The larger stand before the smaller. */
  private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");

  private static final long[] UNIT_MS = {86_400_000, 3_600_000, 60_000, 1_000, 1};

  @Override
  public Duration convert(String text) {
    if (SECONDS.matcher(text).matches()) {
      return ofMs(text, 1_000);
    }
    return read(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is no duration; a duration is seconds (10, 2.5), has units (500ms, 90s,"
                            .formatted(text)
                        + " 1h30m, 7d), or is of ISO 8601 (PT1H)"));
  }

  /** Empty unless it is a duration with units, or one of ISO 8601; neither is negative. */
  static Optional<Duration> read(String text) {
    return text.startsWith("P") ? iso(text) : withUnits(text);
  }

  private static Optional<Duration> iso(String text) {
    try {
      Duration duration = Duration.parse(text);
      return duration.isNegative() ? Optional.empty() : Optional.of(duration);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> withUnits(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    int unit = -1;
    while (at < text.length()) {
      part.region(at, text.length());
      int next = part.lookingAt() ? UNITS.indexOf(part.group(2)) : -1;
      if (next <= unit) {
        return Optional.empty();
      }
      sum = sum.plus(ofMs(part.group(1), UNIT_MS[next]));
      unit = next;
      at = part.end();
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(sum);
  }

  private static Duration ofMs(String number, long unitMs) {
    return Duration.ofMillis(
        new BigDecimal(number).multiply(BigDecimal.valueOf(unitMs)).longValue());
  }

  static String inWords(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
