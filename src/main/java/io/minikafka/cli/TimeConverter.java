package io.minikafka.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time of RFC 3339, which has a zone. */
final class TimeConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'%s' is no time with its zone (2026-01-31T12:00:00Z, 2026-01-31T13:00:00+01:00)"
              .formatted(text));
    }
  }
}
