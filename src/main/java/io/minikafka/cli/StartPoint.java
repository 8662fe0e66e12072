package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where {@code consume} begins. */
sealed interface StartPoint {
  record Beginning() implements StartPoint {}

  record End() implements StartPoint {}

  /**
   * @param offset 0 or more
   */
  record Offset(long offset) implements StartPoint {}

  /** The first record that is not older. */
  record Time(long timestampMs) implements StartPoint {}

  default void seek(Consumer consumer, TopicPartition partition) {
    switch (this) {
      case Beginning() -> consumer.seekToBeginning(List.of(partition));
      case End() -> consumer.seekToEnd(List.of(partition));
      case Offset(long offset) -> consumer.seek(partition, offset);
      case Time(long timestampMs) -> consumer.seekToTime(partition, timestampMs);
    }
  }

  /** Reads what stands on the command line. */
  final class Converter implements ITypeConverter<StartPoint> {
    private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");

    @Override
    public StartPoint convert(String text) {
      if (text.equals("beginning")) {
        return new Beginning();
      }
      if (text.equals("end")) {
        return new End();
      }
      if (text.chars().allMatch(c -> c >= '0' && c <= '9') && !text.isEmpty()) {
        try {
          return new Offset(Long.parseLong(text));
        } catch (NumberFormatException e) {
          throw new TypeConversionException("offset %s is above 2^63-1".formatted(text));
        }
      }
      Matcher ago = AGO.matcher(text);
      if (ago.matches()) {
        long count = Long.parseLong(ago.group(1));
        Duration duration =
            switch (ago.group(2)) {
              case "s" -> Duration.ofSeconds(count);
              case "m" -> Duration.ofMinutes(count);
              case "h" -> Duration.ofHours(count);
              default -> Duration.ofDays(count);
            };
        return new Time(Math.max(0, Instant.now().minus(duration).toEpochMilli()));
      }
      try {
        return new Time(Math.max(0, OffsetDateTime.parse(text).toInstant().toEpochMilli()));
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "'%s' is neither beginning, end, an offset, a time with its zone (2026-01-31T12:00:00Z)"
                    .formatted(text)
                + " nor a time ago (90s, 15m, 2h, 7d)");
      }
    }
  }
}
