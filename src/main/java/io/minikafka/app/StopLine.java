package io.minikafka.app;

import java.nio.file.Path;

/**
 * The last line on standard output of a broker that was told to stop.
 *
 * @param clean whether the next start reads nothing
 */
record StopLine(String version, Path dataDir, boolean clean) {
  @Override
  public String toString() {
    return "minikafka %s stopped%s"
        .formatted(
            version,
            clean
                ? " cleanly"
                : "; the end of %s is not marked clean, the next start checks its logs"
                    .formatted(dataDir));
  }
}
