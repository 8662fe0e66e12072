package io.minikafka.admin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command {@code buf}, a gRPC client and linter that is not ours: from {@code $BUF}, else from
 * the {@code PATH}. Without it the tests that want it are skipped, and say so.
 */
public final class Buf {
  private final Path command;

  /** What a run of it gave. */
  public record Run(int exit, String out, String err) {}

  private Buf(Path command) {
    this.command = command;
  }

  /** The command, if it is to be had. */
  public static Optional<Buf> find() {
    return Stream.concat(
            Stream.ofNullable(System.getenv("BUF")).map(Path::of),
            Stream.ofNullable(System.getenv("PATH"))
                .flatMap(path -> Stream.of(path.split(":")))
                .map(directory -> Path.of(directory, "buf")))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Buf::new);
  }

  static Buf orSkip() {
    Optional<Buf> found = find();
    String reason = "skipped: no buf in $BUF or on the PATH (npm install @bufbuild/buf)";
    if (found.isEmpty()) {
      System.out.println(reason);
    }
    assumeTrue(found.isPresent(), reason);
    return found.orElseThrow();
  }

  public Run run(Path directory, String... arguments) {
    return run(directory, List.of(), arguments);
  }

  /** Ends it after so long, as a person does with what would go on for ever. */
  public Run runFor(double seconds, Path directory, String... arguments) {
    return run(directory, List.of("timeout", "-s", "INT", "" + seconds), arguments);
  }

  private Run run(Path directory, List<String> prefix, String... arguments) {
    List<String> line = new ArrayList<>(prefix);
    line.add(command.toAbsolutePath().toString());
    line.addAll(List.of(arguments));
    try {
      Path err = Files.createTempFile("buf", ".err");
      try {
        Process process =
            new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out, Files.readString(err));
      } finally {
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
