package io.minikafka.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Resident memory of a Java process when it has settled: behind a full collection, which the JDK's
 * {@code jcmd} asks it for, and once the figure moves no more. Without a {@code jcmd} beside this
 * Java it is only waited. Stateless.
 */
final class Settled {
  private static final int COLLECTION_LIMIT_S = 30;
  private static final int LOOKS = 30;
  private static final long BETWEEN_LOOKS_MS = 100;
  private static final double STILL_BYTES = 256 << 10;

  private Settled() {}

  static OptionalDouble residentBytes(LinuxProcess process)
      throws IOException, InterruptedException {
    collect(process);
    OptionalDouble last = process.residentBytes();
    for (int i = 0; i < LOOKS && last.isPresent(); i++) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
      OptionalDouble now = process.residentBytes();
      boolean isStill =
          now.isPresent() && Math.abs(now.getAsDouble() - last.getAsDouble()) < STILL_BYTES;
      last = now;
      if (isStill) {
        break;
      }
    }
    return last;
  }

  /** Whether a collection can be asked for. */
  static boolean canCollect() {
    return Files.isExecutable(jcmd());
  }

  private static Path jcmd() {
    return Path.of(System.getProperty("java.home"), "bin", "jcmd");
  }

  private static void collect(LinuxProcess process) throws IOException, InterruptedException {
    if (!canCollect()) {
      return;
    }
    Process asking =
        new ProcessBuilder(jcmd().toString(), Long.toString(process.pid()), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!asking.waitFor(COLLECTION_LIMIT_S, TimeUnit.SECONDS)) {
      asking.destroyForcibly();
    }
  }
}
