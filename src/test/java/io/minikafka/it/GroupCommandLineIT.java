package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups through the real command line, against a real broker. */
@Timeout(180)
class GroupCommandLineIT {
  private static final String[] QUICK = {"--session", "2"};

  @TempDir Path dir;
  private BrokerProcess broker;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    broker.close();
  }

  @Test
  void aGroupSeesOnlyWhatIsNewAfterBrokerAndMembersWereKilled() throws Exception {
    ok("topic", "create", "t", "--partitions", "3");
    produce("t", 0, 100);
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    Process one = background(first, "consume", "t", "--group", "g", "--follow");
    Process two = background(second, "consume", "t", "--group", "g", "--follow");
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 3, "t", "g");
    broker.kill();
    one.destroyForcibly().waitFor();
    two.destroyForcibly().waitFor();
    broker = broker.restart(dir.resolve("data"));
    produce("t", 100, 101);

    assertEquals("100\n", ok("consume", "t", "--group", "g"));

    List<String> printed = new ArrayList<>(Files.readAllLines(first));
    printed.addAll(Files.readAllLines(second));
    assertEquals(numbers(0, 100), new TreeSet<>(printed));
    assertEquals(
        numbers(0, 101), new TreeSet<>(ok("consume", "t", "--group", "new").lines().toList()));
    assertEquals("", ok("consume", "t", "--group", "g"));
  }

  @Test
  void itCommitsWhatItPrintedAndNotOneMore() throws Exception {
    ok("topic", "create", "t");
    produce("t", 0, 100);

    assertEquals(lines(0, 7), ok("consume", "t", "--group", "g", "--max", "7"));
    assertEquals(lines(7, 20), ok("consume", "t", "--group", "g", "--max", "13"));

    assertEquals(
        "PARTITION  START  HIGH-WATERMARK  RECORDS  COMMITTED  LAG\n"
            + "        0      0             100      100         20   80\n",
        ok("offsets", "t", "--group", "g"));
    assertEquals(
        "{\"topic\":\"t\",\"partition\":0,\"logStartOffset\":0,\"highWatermark\":100,\"recordCount\":100}\n",
        ok("offsets", "t", "--group", "other", "--output", "json"));
  }

  @Test
  void whatAReaderThatHadEnoughDidNotTakeIsNotCommitted() throws Exception {
    ok("topic", "create", "t");
    produce("t", 0, 100_000);
    String script =
        "%s consume t --group g | head -3 > %s".formatted(Launcher.path(), dir.resolve("head"));

    Launcher.Result result =
        Launcher.runCommand(environment(), List.of("bash", "-o", "pipefail", "-c", script));

    assertEquals(0, result.exitCode(), result::err);
    assertEquals(lines(0, 3), Files.readString(dir.resolve("head")));
    String rest = ok("consume", "t", "--group", "g");
    long next = Long.parseLong(rest.substring(0, rest.indexOf('\n')));
    // What the pipe took is committed: some dozens of thousands of bytes, not all.
    assertTrue(next >= 3 && next < 99_999, () -> "goes on at " + next);
    assertEquals(lines((int) next, 100_000), rest);
  }

  @Test
  void aMemberThatIsInterruptedLeavesAndTheOtherGoesOn() throws Exception {
    ok("topic", "create", "t", "--partitions", "2");
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    String[] long0 = {"consume", "t", "--group", "g", "--follow", "--session", "600"};
    Process one = background(first, long0);
    produce("t", 0, 50);
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 2, "t", "g");
    background(second, long0);

    one.destroy();

    assertTrue(one.waitFor(30, SECONDS));
    assertEquals(143, one.exitValue());
    produce("t", 50, 100);
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 2, "t", "g");
    List<String> printed = new ArrayList<>(Files.readAllLines(first));
    printed.addAll(Files.readAllLines(second));
    assertEquals(numbers(0, 100), new TreeSet<>(printed));
    assertEquals(100, printed.size(), "nothing twice: all had been committed");
  }

  @Test
  void whereToBeginIsAskedOnlyWhereNothingIsCommitted() throws Exception {
    ok("topic", "create", "t");
    produce("t", 0, 10);

    assertEquals("", ok("consume", "t", "--group", "tail", "--from", "end"));
    assertEquals(lines(4, 10), ok("consume", "t", "--group", "g", "--from", "4"));
    produce("t", 10, 12);
    assertEquals(lines(10, 12), ok("consume", "t", "--group", "g", "--from", "0"));
  }

  @Test
  void whatCameBetweenTwoRunsFromTheEndIsPrinted() throws Exception {
    ok("topic", "create", "t", "--partitions", "2");
    produce("t", 0, 10);
    String[] fromTheEnd = {"consume", "t", "--group", "tail", "--from", "end"};
    String[] fromATime = {"consume", "t", "--group", "time", "--from", "2100-01-01T00:00:00Z"};
    assertEquals("", ok(fromTheEnd));
    assertEquals("", ok(fromATime));
    produce("t", 10, 14);

    assertEquals(numbers(10, 14), new TreeSet<>(ok(fromTheEnd).lines().toList()));
    assertEquals(numbers(10, 14), new TreeSet<>(ok(fromATime).lines().toList()));
  }

  @Test
  void whereItBeginsIsCommittedAlsoWhereThereIsNothing() throws Exception {
    ok("topic", "create", "empty");
    for (String from : List.of("beginning", "end", "0", "1h")) {
      ok("consume", "empty", "--group", from, "--from", from);

      assertTrue(
          ok("offsets", "empty", "--group", from, "--output", "json")
              .contains("\"committedOffset\":0,"),
          from);
    }
  }

  @Test
  void anOffsetOutsideTheLogIsRefusedAndNotCommitted() throws Exception {
    ok("topic", "create", "t");
    produce("t", 0, 10);

    assertEquals(1, run("consume", "t", "--group", "g", "--from", "11").exitCode());

    assertTrue(ok("offsets", "t", "--group", "g").endsWith(" -    -\n"));
  }

  @Test
  void aGroupThatHasCommittedNothingIsSaidSo() throws Exception {
    ok("topic", "create", "t");

    Launcher.Result result = run("offsets", "t", "--group", "neverwas");

    assertEquals(0, result.exitCode());
    assertEquals("group neverwas has committed no offsets of t\n", result.err());
  }

  @Test
  void aSessionMayBeAnyDurationWithinItsBounds() throws Exception {
    ok("topic", "create", "t");
    assertEquals("", ok("consume", "t", "--group", "g", "--session", "500ms"));
    assertEquals("", ok("consume", "t", "--group", "h", "--session", "1.5"));
    for (String outside : List.of("0.01", "99ms", "31m")) {
      Launcher.Result result = run("consume", "t", "--group", "g", "--session", outside);

      assertEquals(2, result.exitCode());
      assertTrue(result.err().contains("must be 100 ms … 30 min"), result::err);
    }
  }

  @Test
  void aMemberThatIsInterruptedWhileTheBrokerIsDownEnds() throws Exception {
    ok("topic", "create", "t");
    Path out = dir.resolve("out");
    Process member = background(out, "consume", "t", "--group", "g", "--follow");
    produce("t", 0, 10);
    awaitOffsets(lags -> lags.equals(List.of("0")), 1, "t", "g");
    broker.kill();

    member.destroy();

    assertTrue(member.waitFor(30, SECONDS));
    assertEquals(143, member.exitValue());
    assertEquals(lines(0, 10), Files.readString(out));
  }

  @Test
  void severalTopicsAndPatternsAreReadByOneGroup() throws Exception {
    ok("topic", "create", "log-a");
    ok("topic", "create", "log-b");
    ok("topic", "create", "other");
    produce("log-a", 0, 5);
    produce("log-b", 5, 10);
    produce("other", 10, 15);

    String all = ok("consume", "--pattern", "log-.*", "--group", "g");
    String two = ok("consume", "log-a", "other", "--group", "h");
    String plain = ok("consume", "log-b", "other");

    assertEquals(numbers(0, 10), new TreeSet<>(all.lines().toList()));
    assertEquals(10, two.lines().count());
    assertEquals(10, plain.lines().count());
  }

  @Test
  void whatIsAskedWronglyIsSaid() throws Exception {
    ok("topic", "create", "t");
    assertEquals(2, run("consume").exitCode());
    assertEquals(2, run("consume", "t", "--pattern", "t", "--group", "g").exitCode());
    assertEquals(2, run("consume", "--pattern", "t").exitCode());
    assertEquals(2, run("consume", "--pattern", "(", "--group", "g").exitCode());
    assertEquals(2, run("consume", "t", "--session", "5").exitCode());
    assertEquals(2, run("consume", "t", "--group", "g", "--session", "0").exitCode());
    assertEquals(2, run("consume", "t", "--group", "g", "--max", "0").exitCode());
    assertEquals(2, run("consume", "t", "--group", "g", "--partition", "0").exitCode());
    assertEquals(2, run("consume", "t", "--group", "").exitCode());
    assertEquals(1, run("consume", "--pattern", "x", "--group", "g").exitCode());
    assertEquals(1, run("consume", "nothing", "--group", "g").exitCode());
  }

  private void awaitOffsets(
      Predicate<List<String>> condition, int partitions, String topic, String group)
      throws Exception {
    long deadlineNanos = System.nanoTime() + SECONDS.toNanos(60);
    while (true) {
      List<String> lags =
          ok("offsets", topic, "--group", group)
              .lines()
              .skip(1)
              .map(line -> line.substring(line.lastIndexOf(' ') + 1))
              .toList();
      if (lags.size() == partitions && condition.test(lags)) {
        return;
      }
      if (System.nanoTime() > deadlineNanos) {
        throw new AssertionError("lags stay " + lags);
      }
    }
  }

  private void produce(String topic, int from, int until) throws Exception {
    Path file = Files.writeString(dir.resolve("numbers"), lines(from, until));
    ok("produce", topic, "--file", file.toString());
  }

  private static String lines(int from, int until) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, until).forEach(i -> lines.append(i).append('\n'));
    return lines.toString();
  }

  private static TreeSet<String> numbers(int from, int until) {
    return new TreeSet<>(lines(from, until).lines().toList());
  }

  private Process background(Path out, String... args) throws IOException {
    List<String> command = command(args);
    if (!command.contains("--session")) {
      command.addAll(List.of(QUICK));
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private String ok(String... args) throws Exception {
    Launcher.Result result = run(args);
    assertEquals(0, result.exitCode(), result::err);
    return result.out();
  }

  private Launcher.Result run(String... args) throws IOException, InterruptedException {
    return Launcher.runCommand(environment(), command(args));
  }

  private static List<String> command(String... args) {
    List<String> command = new ArrayList<>(List.of(Launcher.path().toString()));
    command.addAll(List.of(args));
    return command;
  }

  private Map<String, String> environment() {
    return Map.of(
        "MINIKAFKA_BROKER", "127.0.0.1:" + broker.port(),
        "MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort());
  }
}
