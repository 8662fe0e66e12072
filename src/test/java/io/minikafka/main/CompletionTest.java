package io.minikafka.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help.Ansi;

/** The script that {@code minikafka completion} prints, in a real bash. */
class CompletionTest {
  private static final Path BASH = Path.of("/bin/bash");

  @TempDir Path directory;

  @BeforeEach
  void lookForBash() {
    if (!Files.isExecutable(BASH)) {
      System.out.println("skipped: no " + BASH);
    }
    assumeTrue(Files.isExecutable(BASH), "no " + BASH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void scriptIsWellFormed(String shell) throws Exception {
    assertEquals("", bash("-n", script(shell).toString()));
  }

  @Test
  void commandIsCompleted() throws Exception {
    assertEquals("connections", complete("minikafka", "conn").strip());
  }

  @Test
  void subcommandIsCompleted() throws Exception {
    assertEquals("close", complete("minikafka", "connections", "cl").strip());
  }

  @Test
  void optionIsCompleted() throws Exception {
    List<String> offered = complete("minikafka", "topic", "delete", "--").lines().toList();
    assertTrue(offered.containsAll(List.of("--dry-run", "--yes", "--output")), offered::toString);
  }

  private String complete(String... words) throws Exception {
    return bash(
        "-c",
        "compopt() { :; }; source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_minikafka; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script("bash"), String.join(" ", words), words.length - 1));
  }

  private Path script(String shell) throws IOException {
    StringWriter out = new StringWriter();
    String[] words = {"completion", shell};
    int exit =
        CommandTree.of(words, new PrintWriter(out, true), new PrintWriter(System.err), Ansi.OFF)
            .execute(words);
    assertEquals(0, exit);
    return Files.writeString(directory.resolve("completion"), out.toString());
  }

  private static String bash(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(BASH.toString()));
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
