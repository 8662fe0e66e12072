package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistogramFileTest {
  @TempDir Path dir;

  @Test
  void runWithoutHistogramsLeavesWhatWasThere() throws Exception {
    Path file = dir.resolve("latencies.hlog");
    HistogramFile.open(dir).close();
    assertFalse(Files.exists(file));
    write("one");
    List<String> before = Files.readAllLines(file);
    HistogramFile.open(dir).close();
    assertEquals(before, Files.readAllLines(file));
  }

  @Test
  void eachRunBeginsWithOneHead() throws Exception {
    write("one", "two");
    write("three");
    List<String> lines = Files.readAllLines(dir.resolve("latencies.hlog"));
    assertEquals(2, lines.stream().filter(line -> line.startsWith("#[Histogram log")).count());
    assertEquals(
        List.of("Tag=one", "Tag=two", "Tag=three"),
        lines.stream()
            .filter(line -> line.startsWith("Tag="))
            .map(line -> line.substring(0, line.indexOf(',')))
            .toList());
  }

  private void write(String... tags) throws Exception {
    try (HistogramFile file = HistogramFile.open(dir)) {
      for (String tag : tags) {
        Latencies latencies = new Latencies();
        latencies.add(1_000);
        file.write(tag, latencies, 1_700_000_000_000L);
      }
    }
  }
}
