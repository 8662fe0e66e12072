package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  @ParameterizedTest
  @ValueSource(strings = {"90m", "1h30m", "-1h30m", "PT1H30M", "-PT90M"})
  void howLongAgoCountsBackFromNow(String text) {
    Instant before = Instant.now().minusSeconds(5_400);
    Instant time = converter.convert(text);
    Instant after = Instant.now().minusSeconds(5_400);
    assertFalse(time.isBefore(before) || time.isAfter(after), time::toString);
  }

  @Test
  void whatIsLongerAgoThanThereWereClocksIsTheirFirstMoment() {
    assertEquals(Instant.EPOCH, converter.convert("999999999d"));
    assertEquals(Instant.EPOCH, converter.convert("1800-01-01T00:00:00Z"));
  }

  @Test
  void withoutAZoneItIsRefusedWithExamples() {
    for (String wrong :
        List.of("2026-01-31T12:00:00", "2026-01-31", "12:00", "now", "1769860800", "--1h")) {
      String message =
          assertThrows(TypeConversionException.class, () -> converter.convert(wrong), wrong)
              .getMessage();
      assertEquals(
          "'%s' is no time; a time is of RFC 3339 with its zone (2026-01-31T12:00:00Z,"
                  .formatted(wrong)
              + " 2026-01-31T13:00:00+01:00), or how long ago it was (90s, 1h30m, 7d, PT1H)",
          message);
    }
  }
}
