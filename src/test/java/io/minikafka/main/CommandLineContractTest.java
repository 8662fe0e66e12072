package io.minikafka.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** What docs/CLI.md promises of every command, whatever it does. */
class CommandLineContractTest {
  /** Nobody listens there. */
  private static final String NOWHERE = "127.0.0.1:1";

  /** A right line for each command that asks a broker. */
  private static final List<String> RIGHT_LINES =
      List.of(
          "topic create t",
          "topic list",
          "topic describe t",
          "topic alter t --partitions 2",
          "topic delete-records t 0 --before 5",
          "topic delete t --yes",
          "group list",
          "group list --topic t",
          "group describe g",
          "group reset g --to-latest --yes",
          "group undo g --yes",
          "group delete-offsets g --topic t --yes",
          "group delete g --yes",
          "lag",
          "log segments t 0",
          "log verify",
          "log repair t 0 --skip 1 --yes",
          "log tail t 0",
          "log append t --value x",
          "log flush",
          // Without its file it would read, and close, the standard input of the tests.
          "produce t --file pom.xml",
          "consume t",
          "offsets t",
          "broker info",
          "connections list",
          "connections close 1");

  /** Words on the command line that are wrong, whatever the broker says. */
  private static final List<String> WRONG_LINES =
      List.of(
          "",
          "topic",
          "group lst",
          "help srve",
          "topic help craete",
          "topic create",
          "topic create t --partitions 0",
          "topic create t --partitions 10001",
          "topic create t --partitions x",
          "topic create a+b",
          "topic create ..",
          "topic create __t",
          "topic create t --config segment.bytes",
          "topic create t u",
          "topic alter t",
          "topic alter t --partitions 10001",
          "topic alter t --partitions 2 --config a=b",
          "topic delete-records t 0",
          "topic delete-records t --before 5",
          "topic delete-records t -1 --before 5",
          "topic delete-records t 0 --before -2",
          "group describe",
          "group describe g --all-groups",
          "group describe g --state dead",
          "group list --state dead",
          "group reset g",
          "group reset g --to-latest --to-earliest",
          "group reset g --to-current --to-latest",
          "group reset g --to-offset -1",
          "group reset g --to-offset 99999999999999999999",
          "group reset g --to-time 2026-01-31T12:00:00",
          "group reset g --by-duration 1w",
          "group reset g --shift-by much",
          "group reset g --to-latest --topic t:x",
          "group delete-offsets g",
          "lag g --all-groups",
          "lag --interval 1s",
          "lag --watch --interval 2h",
          "lag --watch --interval soon",
          "log segments t",
          "log segments t x",
          "log verify t -1",
          "log flush t 0 0",
          "log repair t 0",
          "log repair t 0 --skip 1 --cut 1",
          "log repair t 0 --skip -1",
          "log tail t 0 --from yesterday",
          "log tail t 0 --max 0",
          "log tail t 0 --max 1000001",
          "log append t",
          "log append t x --value y",
          "log append t --value x --header y",
          "log append t --value x --durability much",
          "produce t --durability much",
          "produce t --partition -1",
          "produce t --batch 0",
          "produce t --batch 1000001",
          "produce t --linger-ms -1",
          "produce t --linger-ms 86400001",
          "consume t --group=",
          "produce t --header x",
          "consume",
          "consume t --from yesterday",
          "consume t --max 0",
          "consume t --format %q",
          "consume t --partition -1",
          "consume t --raw --format %v",
          "consume --pattern ( --group g",
          "offsets t x",
          "offsets t --time yesterday",
          "connections close x",
          "connections close 0",
          "completion fish",
          "bench produce --flush sometimes",
          "bench consume --client other",
          "bench produce --reps 0",
          "serve --http-port x",
          "serve -D foo",
          "bench produce -D foo",
          "topic list --output xml",
          "topic list --timeout 0",
          "topic list --timeout soon",
          "topic list --admin nowhere",
          "consume t --broker nowhere");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private CommandLine tree() {
    return CommandTree.whole(new PrintWriter(out, true), new PrintWriter(err, true), Ansi.OFF);
  }

  private int run(String line) {
    String[] words = line.isEmpty() ? new String[0] : line.split(" ");
    return CommandTree.execute(
        words, new PrintWriter(out, true), new PrintWriter(err, true), Ansi.OFF);
  }

  private static Stream<String> commands() {
    List<CommandSpec> leaves = new ArrayList<>();
    CommandSpec root =
        CommandTree.whole(new PrintWriter(System.out), new PrintWriter(System.err), Ansi.OFF)
            .getCommandSpec();
    collect(root, leaves);
    return leaves.stream().map(leaf -> leaf.qualifiedName().replaceFirst("minikafka ", ""));
  }

  private static void collect(CommandSpec spec, List<CommandSpec> leaves) {
    if (spec.usageMessage().hidden()) {
      // Of the build, and not of users.
      return;
    }
    if (spec.subcommands().isEmpty()) {
      leaves.add(spec);
    }
    spec.subcommands().values().forEach(command -> collect(command.getCommandSpec(), leaves));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpOfEachCommandHasAnExampleOfIt(String command) {
    assertEquals(0, run(command + " --help"));
    List<String> lines = out.toString().lines().map(String::strip).toList();
    assertTrue(lines.contains("Examples:"), out::toString);
    List<String> examples = lines.subList(lines.indexOf("Examples:"), lines.size());
    assertTrue(
        examples.stream().anyMatch(line -> line.contains("minikafka " + command)), out::toString);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void unknownOptionIsAskedWronglyOfEachCommand(String command) {
    assertEquals(2, run(command + " --no-such-option"));
    assertOneLine(command);
  }

  @ParameterizedTest
  @FieldSource("WRONG_LINES")
  void whatTheLineItselfGetsWrongIsSaidInOneLineWithCode2(String line) {
    assertEquals(2, run(line));
    assertOneLine("");
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @FieldSource("WRONG_LINES")
  void withJsonItIsAnObjectWithItsReason(String line) {
    assertEquals(2, run((line + " --output json").strip()));
    JsonObject error = new JsonObject(err.toString());
    assertTrue(error.getString("command").startsWith("minikafka"), error::encode);
    assertEquals("WRONG_USAGE", error.getString("reason"));
    assertFalse(error.getString("error").isEmpty());
  }

  @ParameterizedTest
  @FieldSource("RIGHT_LINES")
  void brokerThatIsNotThereIsAFailureWithCode1(String line) {
    assertEquals(1, run(line + nowhere(line)));
    assertTrue(err.toString().contains("cannot connect to " + NOWHERE), err::toString);
  }

  @ParameterizedTest
  @FieldSource("RIGHT_LINES")
  void withJsonThatHasItsReasonToo(String line) {
    assertEquals(1, run(line + nowhere(line) + " --output json"));
    JsonObject error = new JsonObject(err.toString());
    assertEquals("NO_CONNECTION", error.getString("reason"));
    boolean overGrpc = nowhere(line).contains("--admin");
    assertEquals(overGrpc ? "UNAVAILABLE" : null, error.getString("code"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10_001})
  void partitionsOutOfBoundsAreToldTheBoundsThatTheHelpNames(int partitions) {
    assertEquals(2, run("topic create t --partitions " + partitions));
    assertTrue(err.toString().contains(" from 1 to 10000"), err::toString);
    assertEquals(0, run("topic create --help"));
    assertTrue(out.toString().contains(" 1 to 10000 "), out::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "produce t --batch 0,          --batch,     from 1 to 1000000",
    "produce t --batch 1000001,    --batch,     from 1 to 1000000",
    "produce t --linger-ms -1,     --linger-ms, from 0 to 86400000",
    "produce t --linger-ms 86400001, --linger-ms, from 0 to 86400000"
  })
  void whatBatchesAreBoundedByIsToldByTheNameOfTheOptionAndInTheHelp(
      String line, String option, String bounds) {
    assertEquals(2, run(line));
    assertTrue(err.toString().startsWith("minikafka produce: " + option + ": "), err::toString);
    assertTrue(err.toString().contains(bounds), err::toString);
    assertEquals(0, run("produce --help"));
    assertTrue(
        out.toString().replaceAll("\\s+", " ").contains(bounds.replaceFirst("from ", ", ")),
        out::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--batch 1", "--batch 1000000", "--linger-ms 0", "--linger-ms 86400000"})
  void batchesAtTheirBoundsAreWhatTheClientTakes(String option) {
    String line = "produce t --file pom.xml " + option;
    assertEquals(1, run(line + nowhere(line)));
    assertTrue(err.toString().contains("cannot connect to "), err::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "bench produce"})
  void settingWithoutAValueIsToldInOneSentence(String command) {
    assertEquals(2, run(command + " -D foo"));
    assertEquals(
        "minikafka %s: -D is 'foo', must be NAME=VALUE (--help tells what it takes)\n"
            .formatted(command),
        err.toString());
  }

  @Test
  void nameOfAGroupThatIsTooLongIsToldByItsOption() {
    assertEquals(2, run("consume t --group " + "g".repeat(201)));
    assertTrue(
        err.toString().contains(": --group is a name of 201 characters, must be 1 … 200"),
        err::toString);
  }

  @Test
  void everyCommandThatAsksABrokerIsAmongTheRightLines() {
    Set<String> missing = new TreeSet<>(commands().toList());
    missing.removeIf(command -> RIGHT_LINES.stream().anyMatch(line -> line.startsWith(command)));
    missing.removeIf(command -> command.startsWith("bench "));
    assertEquals(Set.of("completion", "serve"), missing);
  }

  @Test
  void choicesAreCompletedAsTheyAreWritten() {
    collectChoices(tree().getCommandSpec())
        .forEach(choice -> assertEquals(choice.toLowerCase(Locale.ROOT), choice));
  }

  private static List<String> collectChoices(CommandSpec spec) {
    List<String> choices = new ArrayList<>();
    for (ArgSpec arg : spec.args()) {
      if (arg.completionCandidates() != null) {
        arg.completionCandidates().forEach(choices::add);
      }
    }
    spec.subcommands()
        .values()
        .forEach(command -> choices.addAll(collectChoices(command.getCommandSpec())));
    return choices;
  }

  private static String nowhere(String line) {
    boolean dataPort = List.of("produce", "consume", "offsets").contains(line.split(" ")[0]);
    return (dataPort ? " --broker " : " --admin ") + NOWHERE + " --timeout 1";
  }

  private void assertOneLine(String command) {
    String said = err.toString();
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.startsWith(("minikafka " + command).strip()), said);
    for (String inside :
        Arrays.asList(
            "java.", "Exception", "converter", "positional", "index", "(case-", "Error:")) {
      boolean ofUsers = inside.equals("index") && said.contains("of the format");
      boolean ofPattern = inside.equals("index") && said.contains("--pattern");
      boolean ofName = inside.equals("index") && said.contains("topic name");
      assertTrue(ofUsers || ofPattern || ofName || !said.contains(inside), said);
    }
  }
}
