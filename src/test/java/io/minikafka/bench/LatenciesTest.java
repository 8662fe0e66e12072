package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  private final Latencies latencies = new Latencies();

  @Test
  void percentilesGoIntoTheSixColumnsFromTheFirstOn() {
    for (int us = 1; us <= 100_000; us++) {
      latencies.add(us * 1_000L);
    }
    Row.Builder builder = Row.builder();

    latencies.fill(builder, Column.SENT_P50_US);

    Row row = builder.build();
    // Three digits are kept of each sample.
    assertNear(50_000, row, Column.SENT_P50_US);
    assertNear(90_000, row, Column.SENT_P90_US);
    assertNear(99_000, row, Column.SENT_P99_US);
    assertNear(99_900, row, Column.SENT_P99_9_US);
    assertNear(99_990, row, Column.SENT_P99_99_US);
    assertNear(100_000, row, Column.SENT_MAX_US);
    assertEquals("", row.text(Column.SCHEDULED_MAX_US));
    assertEquals("", row.text(Column.ACK_P50_US));
  }

  @Test
  void withoutSamplesTheColumnsStayEmpty() {
    Row.Builder builder = Row.builder();
    latencies.fill(builder, Column.ACK_P50_US);
    assertEquals("{}", RowFormat.json(builder.build()));
  }

  @Test
  void whatTakesLongerThanAMinuteCountsAsOne() {
    latencies.add(Long.MAX_VALUE);
    assertEquals(60_000_000, latencies.percentileUs(100), 60_000);
    assertEquals(1, latencies.count());
  }

  private static void assertNear(double expected, Row row, Column column) {
    assertEquals(expected, row.number(column).orElseThrow(), expected / 500);
  }
}
