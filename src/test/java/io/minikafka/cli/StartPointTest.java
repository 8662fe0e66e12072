package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class StartPointTest {
  private final StartPoint.Converter converter = new StartPoint.Converter();

  @Test
  void wordsOffsetsAndTimesAreTold() {
    assertEquals(new StartPoint.Beginning(), converter.convert("beginning"));
    assertEquals(new StartPoint.End(), converter.convert("end"));
    assertEquals(new StartPoint.Offset(42), converter.convert("42"));
    assertEquals(
        new StartPoint.Time(Instant.parse("2026-01-31T11:00:00Z").toEpochMilli()),
        converter.convert("2026-01-31T12:00:00+01:00"));
  }

  @Test
  void aNumberBelowZeroIsSoManyOfTheNewest() {
    assertEquals(new StartPoint.Newest(10), converter.convert("-10"));
  }

  @Test
  void aTimeAgoCountsBackFromNow() {
    long before = System.currentTimeMillis() - 900_000;
    StartPoint.Time time = assertInstanceOf(StartPoint.Time.class, converter.convert("15m"));
    long after = System.currentTimeMillis() - 900_000;
    assertEquals(Math.clamp(time.timestampMs(), before, after), time.timestampMs());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "yesterday", "2026-01-31T12:00:00", "5w", "9223372036854775808"})
  void whatMeansNothingIsRefused(String text) {
    assertThrows(TypeConversionException.class, () -> converter.convert(text));
  }
}
