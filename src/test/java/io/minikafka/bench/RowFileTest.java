package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowFileTest {
  @TempDir Path dir;

  @Test
  void rowsOfAKilledRunAreThere() throws Exception {
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Endless.class.getName(),
                dir.toString())
            .redirectErrorStream(true)
            .start();
    // It says so when a row is written, and then waits for ever without closing anything.
    assertEquals('w', run.getInputStream().read());

    run.destroyForcibly();

    assertTrue(run.waitFor(60, TimeUnit.SECONDS));
    assertEquals(List.of("produce", "flush"), experiments());
    assertEquals(2, Files.readAllLines(dir.resolve("rows.jsonl")).size());
  }

  /** A run that never ends. */
  static final class Endless {
    private Endless() {}

    @SuppressWarnings("MustBeClosedChecker") // To be killed is what it is for.
    public static void main(String[] args) throws IOException, InterruptedException {
      RowFile file = RowFile.open(Path.of(args[0]));
      file.write(row("produce"));
      file.write(row("flush"));
      System.out.write('w');
      System.out.flush();
      Thread.currentThread().join();
    }
  }

  @Test
  void laterRunAddsItsRows() throws IOException {
    write("produce");
    write("flush");
    assertEquals(List.of("produce", "flush"), experiments());
  }

  @Test
  void lineThatWasCutOffIsPassedOverAndSpoilsNoOther() throws IOException {
    write("produce");
    Files.writeString(dir.resolve("rows.csv"), "2026-01-31T12:00", StandardOpenOption.APPEND);
    write("flush");
    assertEquals(List.of("produce", "flush"), experiments());
  }

  @Test
  void rowsOfOtherColumnsAreNotMixedIn() throws IOException {
    Files.writeString(dir.resolve("rows.csv"), "run,colour\n");
    IOException refusal = assertThrows(IOException.class, () -> RowFile.open(dir));
    assertTrue(refusal.toString().contains("--out"), refusal::toString);
  }

  @Test
  void directoryWithoutRowsIsToldSo() {
    IOException refusal = assertThrows(IOException.class, () -> RowFile.read(dir));
    assertTrue(refusal.toString().contains("no rows: "), refusal::toString);
  }

  private void write(String experiment) throws IOException {
    try (RowFile file = RowFile.open(dir)) {
      file.write(row(experiment));
    }
  }

  private static Row row(String experiment) {
    return Row.builder().text(Column.EXPERIMENT, experiment).build();
  }

  private List<String> experiments() throws IOException {
    return RowFile.read(dir).stream().map(row -> row.text(Column.EXPERIMENT)).toList();
  }
}
