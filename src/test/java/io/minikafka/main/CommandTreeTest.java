package io.minikafka.main;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class CommandTreeTest {
  private final Properties before = (Properties) System.getProperties().clone();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  @Test
  void helpNamesTheCommands() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("serve"), out::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "help, --help",
    "topic help, topic --help",
    "help topic, topic --help",
    "help topic create, topic create --help",
    "topic help create, topic create --help",
    "help serve, serve --help",
    "help help, --help",
  })
  void helpIsAskedForAsACommandToo(String words, String option) {
    assertEquals(0, run(option.split(" ")));
    String told = out.toString();
    out.getBuffer().setLength(0);
    assertEquals(0, run(words.split(" ")), this::said);
    assertEquals(told, out.toString());
  }

  @Test
  void helpOfWhatIsNoCommandIsRefusedInOneLine() {
    for (String words : List.of("help srve", "help topic craete", "topic help craete")) {
      assertEquals(2, run(words.split(" ")), words);
      assertTrue(said().contains("; did you mean "), this::said);
      assertEquals(1, said().lines().count(), this::said);
      err.getBuffer().setLength(0);
    }
  }

  @Test
  void nameThatReadsHelpIsNoQuestion() {
    for (String words : List.of("topic create help", "produce help", "group describe help")) {
      assertArrayEquals(words.split(" "), CommandTree.withHelpAsOption(words.split(" ")));
    }
  }

  @Test
  void versionIsTheOneOfTheBuild() {
    assertEquals(0, run("--version"));
    assertTrue(
        out.toString().matches("(?s)minikafka \\d+\\.\\d+\\.\\d+.*Java \\d+.*"), out::toString);
  }

  @Test
  void everyCommandTellsTheVersion() {
    for (String[] words : new String[][] {{"topic", "-V"}, {"topic", "create", "--version"}}) {
      assertEquals(0, run(words));
      assertTrue(out.toString().startsWith("minikafka "), out::toString);
      out.getBuffer().setLength(0);
    }
  }

  @Test
  void propertiesThatNobodyReadsAreRefused() {
    for (String name :
        new String[] {
          "MINIKAFKA_LOG_FLUSH_POLICY",
          "Minikafka.log.flush-policy",
          " minikafka.port",
          "\"minikafka.port\"",
          "'minikafka.port'",
          "minikafka.PORT"
        }) {
      assertEquals(2, run("serve", "-D", name + "=1"), name);
      assertEquals("minikafka serve: " + name + " is no setting\n", said());
      err.getBuffer().setLength(0);
    }
    assertEquals(2, run("serve", "-D", "=1"));
    assertEquals("minikafka serve: -D is without a name, must be NAME=VALUE\n", said());
  }

  @Test
  void httpPortOutOfBoundsIsRefusedAsAPropertyToo() {
    assertEquals(2, run("serve", "-Dquarkus.http.port=-5"));
    assertEquals("minikafka serve: quarkus.http.port is -5, must be 0 to 65535\n", said());
  }

  @Test
  void oneNumberForBothPortsIsRefusedBeforeAnythingIsMade(@TempDir Path dir) {
    Path data = dir.resolve("data");
    assertEquals(
        2, run("serve", "--port", "9092", "--http-port", "9092", "--data-dir", data.toString()));
    assertEquals(
        "minikafka serve: the data port and the HTTP port are both 9092 (--port and --http-port"
            + " choose others)\n",
        said());
    assertFalse(Files.exists(data));
  }

  @Test
  void noCommandIsRefusedInOneLine() {
    assertEquals(2, run());
    assertEquals("minikafka: Missing required subcommand (--help tells what it takes)\n", said());
  }

  @Test
  void misspeltCommandIsRefusedWithASuggestion() {
    assertEquals(2, run("srve"));
    assertTrue(said().contains("did you mean serve?"), this::said);
  }

  @Test
  void flagOutOfBoundsIsRefusedInItsOwnName() {
    assertEquals(2, run("serve", "--segment-bytes", "10"));
    assertEquals(
        "minikafka serve: --segment-bytes is 10, must be 1024 to 1073741824 bytes\n", said());
  }

  @Test
  void settingOutOfBoundsIsRefusedInItsFullName() {
    assertEquals(2, run("serve", "-Dminikafka.storage.forcers=65"));
    assertEquals("minikafka serve: minikafka.storage.forcers is 65, must be 1 to 64\n", said());
  }

  @Test
  void numberBeyondItsTypeIsRefusedWithItsBound() {
    assertEquals(2, run("serve", "--segment-bytes", "99999999999"));
    assertEquals(
        "minikafka serve: --segment-bytes is 99999999999, must be 1024 to 1073741824 bytes\n",
        said());
  }

  @Test
  void hostThatIsNoAddressIsNamedWithItsFlag() {
    assertEquals(1, run("serve", "--host", "256.0.0.1"));
    assertEquals(
        "minikafka serve: --host is \"256.0.0.1\", which is no address and no name of one that is"
            + " known here\n",
        said());
    err.getBuffer().setLength(0);
    System.clearProperty("minikafka.host");
    assertEquals(1, run("serve", "-Dminikafka.host=no-such-host.invalid"));
    assertTrue(
        said()
            .startsWith(
                "minikafka serve: minikafka.host is \"no-such-host.invalid\", which is no "),
        this::said);
  }

  @Test
  void httpPortOutOfBoundsIsRefused() {
    assertEquals(2, run("serve", "--http-port", "65536"));
    assertEquals("minikafka serve: --http-port is 65536, must be 0 to 65535\n", said());
  }

  @Test
  void everyProblemIsSaidInTheSameLine() {
    assertEquals(2, run("serve", "--flush", "sometimes", "-P", "minikafka.log.size=3"));
    assertEquals(
        "minikafka serve: --flush is \"sometimes\", must be one of commit, interval, none;"
            + " minikafka.log.size is no setting\n",
        said());
  }

  @Test
  void commandsAreFoundByTheNameTheyCallThemselves() {
    Commands.ALL.forEach(
        (name, type) ->
            assertEquals(Set.of(name), new CommandLine(type).getCommandSpec().names(), name));
  }

  @Test
  void wordsThatNameACommandMakeThatOneOnly() {
    assertEquals(Set.of("topic"), treeOf("topic", "list").getSubcommands().keySet());
    assertTrue(treeOf("--help").getSubcommands().size() > Commands.ALL.size());
    assertTrue(treeOf("completion", "bash").getSubcommands().size() > Commands.ALL.size());
  }

  @Test
  void coloursAreOffUnlessAsked() {
    run("--help");
    assertFalse(out.toString().contains("\u001b["), out::toString);
  }

  private int run(String... args) {
    return CommandTree.execute(
        args, new PrintWriter(out, true), new PrintWriter(err, true), Ansi.OFF);
  }

  private CommandLine treeOf(String... args) {
    return CommandTree.of(args, new PrintWriter(out, true), new PrintWriter(err, true), Ansi.OFF);
  }

  private String said() {
    return err.toString();
  }
}
