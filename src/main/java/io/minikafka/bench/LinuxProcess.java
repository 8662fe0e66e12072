package io.minikafka.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What Linux tells of a process, below {@code /proc}; empty on other systems, of a process that has
 * ended, and of another user's. Any thread.
 */
record LinuxProcess(long pid) {
  private static final long KIB = 1024;

  /** In bytes, now. */
  OptionalDouble residentBytes() {
    return kib("status", "VmRSS:");
  }

  /** In bytes, the most it ever had. */
  OptionalDouble peakResidentBytes() {
    return kib("status", "VmHWM:");
  }

  /** Bytes that a storage device had to give because of it. */
  OptionalDouble diskReadBytes() {
    return number(lines("io"), "read_bytes:");
  }

  /**
   * How long the threads it has now have run, to the nanosecond. Of those that have ended it knows
   * nothing, so it is for a process that sits still.
   */
  OptionalDouble runNanos() {
    try (Stream<Path> threads = Files.list(directory().resolve("task"))) {
      return OptionalDouble.of(
          threads.mapToDouble(thread -> runNanosOf(thread.resolve("schedstat"))).sum());
    } catch (IOException | UncheckedIOException e) {
      return OptionalDouble.empty();
    }
  }

  private static double runNanosOf(Path schedstat) {
    try {
      String text = Files.readString(schedstat);
      return Double.parseDouble(text.substring(0, text.indexOf(' ')));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private OptionalDouble kib(String file, String name) {
    OptionalDouble kib = number(lines(file), name);
    return kib.isPresent() ? OptionalDouble.of(KIB * kib.getAsDouble()) : kib;
  }

  private Path directory() {
    return Path.of("/proc", Long.toString(pid));
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(directory().resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The number behind a name, whatever its unit is called. */
  static OptionalDouble number(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToDouble(
            line -> Double.parseDouble(line.substring(name.length()).strip().split("\\s")[0]))
        .findFirst();
  }
}
