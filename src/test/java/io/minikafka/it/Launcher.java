package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code target/minikafka}, or any other command, to its end. */
final class Launcher {
  /** Nothing here takes longer, except on a machine that is stuck. */
  private static final int LIMIT_S = 60;

  /** What a command left. */
  record Result(int exitCode, String out, String err) {}

  /** Before the launcher: without the options the build has for what its tests start. */
  static final List<String> AS_SHIPPED = List.of("env", "-u", "JAVA_OPTS");

  private Launcher() {}

  /** The launcher the build has just made. */
  static Path path() {
    return Path.of(System.getProperty("it.launcher", "target/minikafka")).toAbsolutePath();
  }

  /** Runs a command of the launcher as shipped. */
  static Result run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(AS_SHIPPED);
    command.add(path().toString());
    command.addAll(List.of(args));
    return runCommand(Map.of(), command);
  }

  /**
   * @param environment set on top of this process's; an empty value removes the name
   */
  static Result runCommand(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("out", ".txt");
    Path err = Files.createTempFile("err", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      environment.forEach(
          (name, value) -> {
            if (value.isEmpty()) {
              builder.environment().remove(name);
            } else {
              builder.environment().put(name, value);
            }
          });
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_S, SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " has not ended after " + LIMIT_S + " s");
      }
      return new Result(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
