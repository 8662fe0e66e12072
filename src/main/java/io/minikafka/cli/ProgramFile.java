package io.minikafka.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where {@code minikafka} itself lies: beside the directory of the jar this process was run from.
 */
final class ProgramFile {
  private static final String JAR = "quarkus-run.jar";
  private static final String PROGRAM = "minikafka";

  private ProgramFile() {}

  static Optional<Path> find() {
    return find(System.getProperty("java.class.path", ""));
  }

  /** Empty if the class path is not the jar of a packaged program. */
  static Optional<Path> find(String classPath) {
    Path jar = Path.of(classPath).toAbsolutePath();
    Path app = jar.getParent();
    if (!jar.endsWith(JAR) || app == null || app.getParent() == null) {
      return Optional.empty();
    }
    return Optional.of(app.resolveSibling(PROGRAM)).filter(Files::isExecutable);
  }
}
