package io.minikafka.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ServeWordsTest {
  @Test
  void flagsAreReadWithTheirValues() {
    assertEquals(
        Optional.of(
            new ServeWords(
                Map.of("--port", "0", "--data-dir", "d", "--http-port", "8081"),
                Map.of("a.b", "1", "c", "x=y", "e", "2"))),
        plainly("serve --port 0 -Da.b=1 --data-dir=d -D c=x=y -De=2 --http-port 8081"));
  }

  @Test
  void serveAloneIsServe() {
    assertEquals(Optional.of(new ServeWords(Map.of(), Map.of())), plainly("serve"));
  }

  /** Right or wrong, picocli knows: so nobody gets another answer than before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "topic list",
        "--help",
        "serve --help",
        "serve -h",
        "serve --port",
        "serve --port --help",
        "serve --port 1 --port 2",
        "serve --port=",
        "serve --http-port x",
        "serve --http-port -1",
        "serve --retention-bytes -1",
        "serve --prot 1",
        "serve here",
        "serve -D",
        "serve -Dname",
        "serve -D=name=value",
        "serve -D name=",
        "serve -D =value",
        "serve -Pa=b",
        "serve @file",
        "serve --data-dir @file",
        "serve --data-dir \"d\"",
        "serve -- --port 1",
        "-Da=b serve"
      })
  void wordsThatAreAnythingElseAreLeftToTheCommandLine(String line) {
    assertEquals(Optional.empty(), plainly(line));
  }

  @Test
  void flagsAreThoseThatHelpTells() {
    CommandSpec spec = new CommandLine(new ServeCommand()).getCommandSpec();
    assertEquals(
        List.copyOf(ServeWords.SETTING_OF_FLAG.keySet()),
        spec.options().stream()
            .map(CommandLine.Model.OptionSpec::longestName)
            .filter(name -> name.startsWith("--") && !List.of("--help", "--version").contains(name))
            .toList());
    assertTrue(
        spec.options().stream()
            .flatMap(option -> List.of(option.names()).stream())
            .collect(Collectors.toSet())
            .contains("-D"));
  }

  /** What both read, both read alike. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --port 0 -Da.b=1 --data-dir=d -D c=x=y -De=2 --http-port 8081",
        "serve --host :: --flush=none --segment-bytes 1024 --index-interval 4096",
        "serve --retention-ms 5 --retention-bytes=7 -Da=1 -Da=2"
      })
  void picocliReadsTheSame(String line) {
    ServeCommand command = new ServeCommand();
    String[] words = line.split(" ");
    new CommandLine(command)
        .parseArgs(List.of(words).subList(1, words.length).toArray(String[]::new));
    assertEquals(Optional.of(command.words()), plainly(line));
  }

  private static Optional<ServeWords> plainly(String line) {
    return ServeWords.plainly(line.split(" "));
  }
}
