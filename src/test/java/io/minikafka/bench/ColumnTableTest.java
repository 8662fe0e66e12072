package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/BENCHMARKS.md says what the columns mean. */
class ColumnTableTest {
  @Test
  void everyColumnStandsInTheDocumentInItsOrderWithItsMeaning() throws IOException {
    String documented =
        Files.readAllLines(Path.of("docs/BENCHMARKS.md")).stream()
            .dropWhile(line -> !line.equals("| column | meaning |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("| "))
            .collect(Collectors.joining("\n"));
    String columns =
        Arrays.stream(Column.values())
            .map(column -> "| `%s` | %s |".formatted(column.title(), column.meaning()))
            .collect(Collectors.joining("\n"));
    assertEquals(columns, documented);
  }
}
