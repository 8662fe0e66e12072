package io.minikafka.bench;

import java.util.OptionalDouble;

/**
 * What a process has used since it began.
 *
 * @param cpuNanos of all its threads; empty if it is not known
 * @param allocatedBytes of heap, by all its threads, the ended ones too; empty if it is not known
 */
record Usage(OptionalDouble cpuNanos, OptionalDouble allocatedBytes) {
  static Usage unknown() {
    return new Usage(OptionalDouble.empty(), OptionalDouble.empty());
  }

  static Usage none() {
    return new Usage(OptionalDouble.of(0), OptionalDouble.of(0));
  }

  Usage plus(Usage more) {
    return new Usage(sum(cpuNanos, more.cpuNanos), sum(allocatedBytes, more.allocatedBytes));
  }

  /** From {@code before} to this. */
  Usage since(Usage before) {
    return new Usage(
        minus(cpuNanos, before.cpuNanos), minus(allocatedBytes, before.allocatedBytes));
  }

  void fill(Row.Builder row, Column cpu, Column allocated, long records) {
    if (records > 0) {
      cpuNanos.ifPresent(nanos -> row.measured(cpu, nanos / 1e3 / records));
      allocatedBytes.ifPresent(bytes -> row.measured(allocated, bytes / records));
    }
  }

  private static OptionalDouble sum(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble minus(OptionalDouble later, OptionalDouble earlier) {
    return later.isPresent() && earlier.isPresent()
        ? OptionalDouble.of(later.getAsDouble() - earlier.getAsDouble())
        : OptionalDouble.empty();
  }
}
