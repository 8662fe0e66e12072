package io.minikafka.log;

import java.util.function.IntToLongFunction;

/** A binary search over values that rise with their ordinal. Stateless. */
final class Floor {
  private Floor() {}

  /** The last ordinal below {@code count} whose value is at most {@code bound}; −1 if none. */
  static int ordinal(int count, IntToLongFunction values, long bound) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (values.applyAsLong(middle) <= bound) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
