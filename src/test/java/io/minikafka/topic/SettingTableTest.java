package io.minikafka.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/OPERATIONS.md says of topic settings what the code says. */
class SettingTableTest {
  @Test
  void tableInTheDocsIsTheOneInTheCode() throws IOException {
    List<String> documented =
        Files.readAllLines(Path.of("docs/OPERATIONS.md")).stream()
            .dropWhile(line -> !line.startsWith("| setting |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    List<String> coded =
        Arrays.stream(SettingKey.values())
            .map(key -> "| `%s` | %s | %s |".formatted(key.key(), key.bounds(), key.doc()))
            .toList();
    assertEquals(coded, documented);
  }
}
