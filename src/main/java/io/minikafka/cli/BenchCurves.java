package io.minikafka.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Has the curves drawn, by a process of its own: what it needs (XChart and {@code java.desktop}) is
 * no part of the program, and may be missing, as it is in an image of the broker. One thread.
 */
final class BenchCurves {
  /** Not imported: who draws is not on this process's class path. */
  private static final String DRAWER = "io.minikafka.bench.report.Charts";

  private final PrintWriter err;

  BenchCurves(PrintWriter err) {
    this.err = err;
  }

  /** The names of the images, beside the rows; none if they cannot be drawn here. */
  List<String> draw(Path directory, String run) throws IOException, InterruptedException {
    Optional<Path> home = ProgramFile.find().map(Path::getParent);
    if (home.isEmpty() || !Files.isDirectory(home.get().resolve("report"))) {
      err.println("no curves: what draws them is not here; the build puts it into target/report");
      return List.of();
    }
    if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
      err.println("no curves: this Java has no module java.desktop");
      return List.of();
    }
    Process drawing = start(home.get(), directory, run);
    String said = new String(drawing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = drawing.waitFor();
    if (exitCode != 0) {
      throw new IOException("drawing the curves ended with %d".formatted(exitCode));
    }
    return said.lines().toList();
  }

  private static Process start(Path home, Path directory, String run) throws IOException {
    String classPath =
        home.resolve("quarkus-app/app/*") + java.io.File.pathSeparator + home.resolve("report/*");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classPath,
            DRAWER,
            directory.toString(),
            run)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
