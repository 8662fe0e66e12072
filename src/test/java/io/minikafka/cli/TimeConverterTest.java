package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TimeConverterTest {
  private final TimeConverter converter = new TimeConverter();

  @Test
  void aTimeHasAZone() {
    Instant noon = Instant.parse("2026-01-31T12:00:00Z");
    assertEquals(noon, converter.convert("2026-01-31T12:00:00Z"));
    assertEquals(noon, converter.convert("2026-01-31T13:00:00+01:00"));
    assertEquals(noon.plusNanos(1_500_000), converter.convert("2026-01-31T12:00:00.0015Z"));
  }

  @Test
  void withoutAZoneItIsRefusedWithExamples() {
    for (String wrong :
        List.of("2026-01-31T12:00:00", "2026-01-31", "12:00", "now", "1769860800")) {
      String message =
          assertThrows(TypeConversionException.class, () -> converter.convert(wrong), wrong)
              .getMessage();
      assertEquals(
          "'%s' is no time with its zone (2026-01-31T12:00:00Z, 2026-01-31T13:00:00+01:00)"
              .formatted(wrong),
          message);
    }
  }
}
