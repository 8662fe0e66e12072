package io.minikafka.cli;

import java.util.Locale;

/** Bytes as people read them: {@code 512 B}, {@code 64.0 MiB}. Stateless. */
final class Sizes {
  private static final String UNITS = "KMGTPE";

  private Sizes() {}

  static String inWords(long bytes) {
    double size = bytes;
    int unit = -1;
    // What would be printed as 1024.0 is one of the next unit.
    while (size >= 1023.95 && unit + 1 < UNITS.length()) {
      size /= 1024;
      unit++;
    }
    return unit < 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %ciB", size, UNITS.charAt(unit));
  }
}
