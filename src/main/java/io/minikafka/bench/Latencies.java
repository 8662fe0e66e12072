package io.minikafka.bench;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Durations, all of them kept, to three digits; up to a minute, longer ones count as one. One
 * thread.
 */
public final class Latencies {
  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);

  /** A negative one counts as none: two clocks of one machine differ by nothing else. */
  void add(long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  void addAll(Latencies others) {
    histogram.add(others.histogram);
  }

  long count() {
    return histogram.getTotalCount();
  }

  void clear() {
    histogram.reset();
  }

  double percentileUs(double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e3;
  }

  Histogram histogram() {
    return histogram;
  }

  /** Fills the six columns from {@code first} on; leaves them empty if there is nothing. */
  void fill(Row.Builder row, Column first) {
    if (count() == 0) {
      return;
    }
    Column[] columns = Column.values();
    int at = first.ordinal();
    for (double percentile : List.of(50.0, 90.0, 99.0, 99.9, 99.99)) {
      row.measured(columns[at++], percentileUs(percentile));
    }
    row.measured(columns[at], histogram.getMaxValue() / 1e3);
  }
}
