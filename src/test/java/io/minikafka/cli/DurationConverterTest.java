package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  private final DurationConverter converter = new DurationConverter();

  @Test
  void aNumberAloneIsSecondsAlsoWithAFraction() {
    assertEquals(Duration.ofSeconds(10), converter.convert("10"));
    assertEquals(Duration.ofMillis(10), converter.convert("0.01"));
    assertEquals(Duration.ofMillis(2500), converter.convert("2.5"));
  }

  @Test
  void aUnitMayStandBehind() {
    assertEquals(Duration.ofMillis(500), converter.convert("500ms"));
    assertEquals(Duration.ofMillis(1500), converter.convert("1.5s"));
    assertEquals(Duration.ofMinutes(30), converter.convert("30m"));
    assertEquals(Duration.ofHours(2), converter.convert("2h"));
    assertEquals(Duration.ofDays(7), converter.convert("7d"));
  }

  @Test
  void unitsMayFollowEachOtherTheLargerFirst() {
    assertEquals(Duration.ofMinutes(90), converter.convert("1h30m"));
    assertEquals(Duration.ofMillis(93_784_005), converter.convert("1d2h3m4s5ms"));
  }

  @Test
  void durationOfIso8601IsTakenToo() {
    assertEquals(Duration.ofHours(1), converter.convert("PT1H"));
    assertEquals(Duration.ofDays(7), converter.convert("P7D"));
    assertEquals(Duration.ofMillis(1500), converter.convert("PT1.5S"));
  }

  @Test
  void whatIsNoDurationIsRefusedWithExamples() {
    for (String wrong :
        new String[] {
          "",
          "-1",
          "soon",
          "1w",
          "1.",
          ".5",
          "1 s",
          "12345678901",
          "30m1h",
          "1h1h",
          "1h30",
          "PT-1H",
          "P",
          "pt1h"
        }) {
      TypeConversionException e =
          assertThrows(TypeConversionException.class, () -> converter.convert(wrong));
      assertEquals(
          "'%s' is no duration; a duration is seconds (10, 2.5), has units (500ms, 90s, 1h30m, 7d),"
                  .formatted(wrong)
              + " or is of ISO 8601 (PT1H)",
          e.getMessage());
    }
  }
}
