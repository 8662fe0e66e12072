package io.minikafka.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples in the documents are the golden bytes that the tests of the code use. */
class GoldenFilesTest {
  private static final Path FORMAT = Path.of("docs/FORMAT.md");
  private static final Path PROTOCOL = Path.of("docs/PROTOCOL.md");

  @Test
  void examplesInDocumentsAreGoldenBytes() throws IOException {
    Map<String, byte[]> golden = HexText.allGolden();
    for (Path document : new Path[] {FORMAT, PROTOCOL}) {
      HexText.blocks(Files.readString(document))
          .forEach(
              (name, bytes) -> {
                assertTrue(golden.containsKey(name), document + " shows an unknown " + name);
                assertArrayEquals(golden.get(name), bytes, document + " " + name);
              });
    }
  }

  @Test
  void theDocumentsShowEverythingButTheListsOfErrors() throws IOException {
    TreeSet<String> shown = new TreeSet<>();
    for (Path document : new Path[] {FORMAT, PROTOCOL}) {
      shown.addAll(HexText.blocks(Files.readString(document)).keySet());
    }
    TreeSet<String> golden = new TreeSet<>(HexText.allGolden().keySet());
    golden.removeIf(name -> name.endsWith("-errors"));
    assertEquals(golden, shown);
  }

  /** A golden file that no test reads proves nothing. */
  @Test
  void everyGoldenFileIsReadByATest() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        tests.append(Files.readString(file));
      }
    }
    for (String name : HexText.allGolden().keySet()) {
      boolean isFrame = name.matches("v[01]-[a-z-]+-(request|response)");
      assertTrue(isFrame || tests.indexOf('"' + name + '"') >= 0, name + " is read by no test");
    }
  }
}
