package io.minikafka.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The revision of the sources that a program was built in. Stateless. */
public final class Revision {
  private static final String UNKNOWN = "unknown";
  private static final int LIMIT_S = 10;

  private Revision() {}

  /**
   * What git says of the checkout that a directory lies in, with {@code -dirty} if files were
   * changed; {@code unknown} if it is none.
   */
  public static String at(Path directory) {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
              .directory(directory.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = git.waitFor(LIMIT_S, TimeUnit.SECONDS);
      return ended && git.exitValue() == 0 && !said.isEmpty() ? said : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNKNOWN;
    }
  }
}
