package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules as transcripts: each file of src/test/resources/group is played, and must say what it
 * says. {@code -Dtranscripts=write} writes down what the rules say now, to be read and judged.
 */
class ScenarioTest {
  private static final Path FOLDER = Path.of("src/test/resources/group");

  static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> !file.endsWith("README.txt"))
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void rulesSayWhatTheTranscriptSays(Path file) throws IOException {
    List<String> expected = Files.readAllLines(file);
    List<String> said = new Script().play(expected);
    if ("write".equals(System.getProperty("transcripts"))) {
      Files.write(file, said);
    }
    assertEquals(String.join("\n", expected), String.join("\n", said));
  }
}
