package io.minikafka.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every invariant of docs/DESIGN.md is held by a test that exists. */
class InvariantsTest {
  private static final Pattern ROW = Pattern.compile("\\| I(\\d+) \\|.*\\|(.*)\\|");
  private static final Pattern HOLDER = Pattern.compile("`(\\w+)(?:#(\\w+))?`");

  @Test
  void everyInvariantIsHeldByTestsThatExist() throws IOException {
    Map<String, Path> tests = tests();
    List<String> missing = new ArrayList<>();
    int rows = 0;
    for (String line : Files.readAllLines(Path.of("docs/DESIGN.md"))) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      rows++;
      assertEquals(rows, Integer.parseInt(row.group(1)), "invariants are numbered in order");
      List<String> holders =
          HOLDER.matcher(row.group(2)).results().map(found -> found.group()).toList();
      assertTrue(!holders.isEmpty(), line);
      for (String holder : holders) {
        if (!exists(holder, tests)) {
          missing.add("I" + rows + ": " + holder);
        }
      }
    }
    assertTrue(rows > 0, "no invariants found");
    assertEquals(List.of(), missing);
  }

  private static boolean exists(String holder, Map<String, Path> tests) throws IOException {
    Matcher name = HOLDER.matcher(holder);
    if (!name.matches()) {
      return false;
    }
    Path file = tests.get(name.group(1));
    return file != null
        && (name.group(2) == null
            || Files.readString(file).contains("void " + name.group(2) + "("));
  }

  private static Map<String, Path> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  Function.identity(),
                  (one, other) -> one));
    }
  }
}
