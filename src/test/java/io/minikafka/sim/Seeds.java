package io.minikafka.sim;

import java.util.function.LongConsumer;

/** Which seeds a property test runs: the same ones in every build unless told otherwise. */
final class Seeds {
  private static final long FIRST = 1;

  private Seeds() {}

  /**
   * Runs a property for {@code count} seeds, or for the one given by {@code -Dseed}, or for as many
   * as {@code -Dseeds} says; both together: so many from that one on.
   */
  static void each(int count, LongConsumer property) {
    long first = Long.getLong("seed", FIRST);
    long seeds = Long.getLong("seeds", System.getProperty("seed") == null ? count : 1);
    System.out.printf("seeds %d to %d%n", first, first + seeds - 1);
    for (long seed = first; seed < first + seeds; seed++) {
      property.accept(seed);
    }
  }

  static int steps(int usual) {
    return Integer.getInteger("steps", usual);
  }
}
