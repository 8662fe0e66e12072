package io.minikafka.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time of RFC 3339, which has a zone, or how long ago it was. */
final class TimeConverter implements ITypeConverter<Instant> {
  /** For help and errors. */
  static final String ACCEPTED =
      "a time is of RFC 3339 with its zone (2026-01-31T12:00:00Z, 2026-01-31T13:00:00+01:00), or"
          + " how long ago it was (90s, 1h30m, 7d, PT1H)";

  @Override
  public Instant convert(String text) {
    return read(text)
        .orElseThrow(
            () -> new TypeConversionException("'%s' is no time; %s".formatted(text, ACCEPTED)));
  }

  /** Empty if it is no time. What lies before 1970 is 1970: no record is older. */
  static Optional<Instant> read(String text) {
    try {
      Optional<Duration> ago =
          DurationConverter.read(text.startsWith("-") ? text.substring(1) : text);
      Instant time =
          ago.isPresent() ? Instant.now().minus(ago.get()) : OffsetDateTime.parse(text).toInstant();
      return Optional.of(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time);
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
