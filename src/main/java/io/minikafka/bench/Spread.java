package io.minikafka.bench;

import java.util.Arrays;

/**
 * What several repetitions gave: the middle, the least and the most.
 *
 * @param median of an even number of values, the mean of the two in the middle
 */
record Spread(double median, double min, double max) {
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }
}
