package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FloorResultTest {
  @Test
  void rateIsComparedInBytesOnTheWire() {
    Row.Builder row = Row.builder();
    new FloorResult(
            FloorKey.sink(128_135, 5), 2_000, OptionalDouble.empty(), OptionalDouble.empty())
        .compareRate(row, 1_500);
    assertEquals(
        "{\"floor\":\"sink of 128135 B, 5 in flight\",\"floor_ratio\":0.75}",
        RowFormat.json(row.build()));
  }

  @Test
  void latencyIsComparedPercentileByPercentile() {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 98; i++) {
      latencies.add(100_000);
    }
    latencies.add(400_000);
    latencies.add(400_000);
    Row.Builder row = Row.builder();
    new FloorResult(FloorKey.ping(263), 1, OptionalDouble.of(50), OptionalDouble.of(100))
        .compareLatency(row, latencies);
    Row made = row.build();
    assertEquals("ping of 263 B", made.text(Column.FLOOR));
    assertEquals(2, made.number(Column.FLOOR_RATIO).orElseThrow(), 0.01);
    assertEquals(4, made.number(Column.FLOOR_P99_RATIO).orElseThrow(), 0.01);
  }
}
