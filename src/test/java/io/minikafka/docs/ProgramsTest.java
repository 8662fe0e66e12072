package io.minikafka.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole programs in the documents compile as they stand there, with the client and nothing else.
 */
class ProgramsTest {
  private static final List<Path> DOCUMENTS =
      List.of(Path.of("README.md"), Path.of("docs/CLIENT.md"));

  /** One that begins with its imports. */
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n(import .*?class (\\w+) .*?)```", Pattern.DOTALL);

  @TempDir Path dir;

  @Test
  void everyWholeProgramCompiles() throws IOException {
    List<String> compiled = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path document : DOCUMENTS) {
      for (MatchResult program : PROGRAM.matcher(Files.readString(document)).results().toList()) {
        compiled.add(program.group(2));
        problems.addAll(problems(program.group(2), program.group(1)));
      }
    }
    assertEquals(List.of(), problems);
    assertEquals(List.of("Hello", "Billing"), compiled);
  }

  private List<String> problems(String name, String program) throws IOException {
    Path source = Files.writeString(dir.resolve(name + ".java"), program);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            out,
            out,
            "-Xlint:all",
            "-cp",
            "target/classes",
            "-d",
            dir.toString(),
            source.toString());
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
