package io.minikafka.bench;

import java.util.OptionalDouble;

/**
 * What a floor gave: the best repetition, because whatever disturbs a floor makes it lower.
 *
 * @param mbPerSecond of frames
 * @param p50Us of one turn; empty where turns are not measured one by one
 */
record FloorResult(FloorKey key, double mbPerSecond, OptionalDouble p50Us, OptionalDouble p99Us) {

  /** Rates: 1 is at the floor, less is slower. */
  void compareRate(Row.Builder row, double wireMbPerSecond) {
    row.text(Column.FLOOR, key.inWords())
        .measured(Column.FLOOR_RATIO, wireMbPerSecond / mbPerSecond);
  }

  /** Latencies: 1 is at the floor, more is slower. */
  void compareLatency(Row.Builder row, Latencies latencies) {
    row.text(Column.FLOOR, key.inWords());
    p50Us.ifPresent(us -> row.measured(Column.FLOOR_RATIO, latencies.percentileUs(50) / us));
    p99Us.ifPresent(us -> row.measured(Column.FLOOR_P99_RATIO, latencies.percentileUs(99) / us));
  }
}
