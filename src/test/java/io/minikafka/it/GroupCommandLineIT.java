package io.minikafka.it;

import static io.minikafka.it.CommandLineRig.lines;
import static io.minikafka.it.CommandLineRig.numbers;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups through the real command line, against a real broker. */
@Timeout(180)
class GroupCommandLineIT {
  private static final String[] QUICK = {"--session", "2"};

  /** Of what {@code offsets --group} prints. */
  private static final int LAG_COLUMN = 5;

  @TempDir Path dir;
  private CommandLineRig rig;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    rig = new CommandLineRig(dir);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aGroupSeesOnlyWhatIsNewAfterBrokerAndMembersWereKilled() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "3");
    rig.produce("t", 0, 100);
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    Process one = background(first, "consume", "t", "--group", "g", "--follow");
    Process two = background(second, "consume", "t", "--group", "g", "--follow");
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 3, "t", "g");
    rig.broker().kill();
    one.destroyForcibly().waitFor();
    two.destroyForcibly().waitFor();
    rig.startAgain();
    rig.produce("t", 100, 101);

    assertEquals("100\n", rig.ok("consume", "t", "--group", "g"));

    List<String> printed = new ArrayList<>(Files.readAllLines(first));
    printed.addAll(Files.readAllLines(second));
    assertEquals(numbers(0, 100), new TreeSet<>(printed));
    assertEquals(
        numbers(0, 101), new TreeSet<>(rig.ok("consume", "t", "--group", "new").lines().toList()));
    assertEquals("", rig.ok("consume", "t", "--group", "g"));
  }

  @Test
  void deletedOffsetsAreToldOnStandardErrorIfTheOutputIsFull() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 3);
    rig.ok("consume", "t", "--group", "g");

    Launcher.Result asText = rig.shell("MINIKAFKA group delete g --yes >/dev/full");
    assertEquals(1, asText.exitCode());
    assertEquals(
        "minikafka group delete: nothing was changed: standard output cannot be written:"
            + " No space left on device\n",
        asText.err());
    assertTrue(rig.ok("group", "list").contains("g "));
    Launcher.Result asJson = rig.shell("MINIKAFKA group delete g --yes --output json >/dev/full");

    assertEquals(1, asJson.exitCode());
    List<String> told = asJson.err().lines().toList();
    assertEquals(2, told.size(), asJson::err);
    assertTrue(told.getLast().contains("; what was asked for is done"), asJson::err);
    assertEquals("", rig.ok("group", "list"));
    Path saved = Files.writeString(dir.resolve("saved"), told.getFirst());
    rig.ok("group", "reset", "g", "--from-file", saved.toString(), "--yes");
    assertEquals("", rig.ok("consume", "t", "--group", "g"));
  }

  @Test
  void itCommitsWhatItPrintedAndNotOneMore() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 100);

    assertEquals(lines(0, 7), rig.ok("consume", "t", "--group", "g", "--max", "7"));
    assertEquals(lines(7, 20), rig.ok("consume", "t", "--group", "g", "--max", "13"));

    assertEquals(
        "PARTITION  START  HIGH-WATERMARK  RECORDS  COMMITTED  LAG  DELETED\n"
            + "        0      0             100      100         20   80        0\n",
        rig.ok("offsets", "t", "--group", "g"));
    assertEquals(
        "{\"topic\":\"t\",\"partition\":0,\"logStartOffset\":0,\"highWatermark\":100,\"recordCount\":100}\n",
        rig.ok("offsets", "t", "--group", "other", "--output", "json"));
  }

  @Test
  void whatAReaderThatHadEnoughDidNotTakeIsNotCommitted() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 100_000);
    String script = "MINIKAFKA consume t --group g | head -3 > " + dir.resolve("head");

    Launcher.Result result = rig.shell(script);

    assertEquals(0, result.exitCode(), result::err);
    assertEquals(lines(0, 3), Files.readString(dir.resolve("head")));
    String rest = rig.ok("consume", "t", "--group", "g");
    long next = Long.parseLong(rest.substring(0, rest.indexOf('\n')));
    // What the pipe took is committed: some dozens of thousands of bytes, not all.
    assertTrue(next >= 3 && next < 99_999, () -> "goes on at " + next);
    assertEquals(lines((int) next, 100_000), rest);
  }

  @Test
  void aMemberThatIsInterruptedLeavesAndTheOtherGoesOn() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "2");
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    String[] long0 = {"consume", "t", "--group", "g", "--follow", "--session", "600"};
    Process one = background(first, long0);
    rig.produce("t", 0, 50);
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 2, "t", "g");
    background(second, long0);

    one.destroy();

    assertTrue(one.waitFor(30, SECONDS));
    assertEquals(143, one.exitValue());
    rig.produce("t", 50, 100);
    awaitOffsets(lags -> lags.stream().allMatch(lag -> lag.equals("0")), 2, "t", "g");
    List<String> printed = new ArrayList<>(Files.readAllLines(first));
    printed.addAll(Files.readAllLines(second));
    assertEquals(numbers(0, 100), new TreeSet<>(printed));
    assertEquals(100, printed.size(), "nothing twice: all had been committed");
  }

  @Test
  void whereToBeginIsAskedOnlyWhereNothingIsCommitted() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 10);

    assertEquals("", rig.ok("consume", "t", "--group", "tail", "--from", "end"));
    assertEquals(lines(4, 10), rig.ok("consume", "t", "--group", "g", "--from", "4"));
    rig.produce("t", 10, 12);
    assertEquals(lines(10, 12), rig.ok("consume", "t", "--group", "g", "--from", "0"));
  }

  @Test
  void whatCameBetweenTwoRunsFromTheEndIsPrinted() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "2");
    rig.produce("t", 0, 10);
    String[] fromTheEnd = {"consume", "t", "--group", "tail", "--from", "end"};
    String[] fromATime = {"consume", "t", "--group", "time", "--from", "2100-01-01T00:00:00Z"};
    assertEquals("", rig.ok(fromTheEnd));
    assertEquals("", rig.ok(fromATime));
    rig.produce("t", 10, 14);

    assertEquals(numbers(10, 14), new TreeSet<>(rig.ok(fromTheEnd).lines().toList()));
    assertEquals(numbers(10, 14), new TreeSet<>(rig.ok(fromATime).lines().toList()));
  }

  @Test
  void whereItBeginsIsCommittedAlsoWhereThereIsNothing() throws Exception {
    rig.ok("topic", "create", "empty");
    for (String from : List.of("beginning", "end", "0", "1h")) {
      rig.ok("consume", "empty", "--group", from, "--from", from);

      assertTrue(
          rig.ok("offsets", "empty", "--group", from, "--output", "json")
              .contains("\"committedOffset\":0,"),
          from);
    }
  }

  @Test
  void anOffsetOutsideTheLogIsRefusedAndNotCommitted() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 10);

    assertEquals(1, rig.run("consume", "t", "--group", "g", "--from", "11").exitCode());

    assertTrue(rig.ok("offsets", "t", "--group", "g").endsWith(" -    -        -\n"));
  }

  @Test
  void aGroupThatHasCommittedNothingIsSaidSo() throws Exception {
    rig.ok("topic", "create", "t");

    Launcher.Result result = rig.run("offsets", "t", "--group", "neverwas");

    assertEquals(0, result.exitCode());
    assertEquals("group neverwas has committed no offsets of t\n", result.err());
  }

  @Test
  void offsetThatOneLogDoesNotHaveIsToldBeforeAnythingIsRead() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "2");
    Path numbers = Files.writeString(dir.resolve("three"), lines(0, 3));
    rig.ok("produce", "t", "--partition", "0", "--file", numbers.toString());

    Launcher.Result result = rig.run("consume", "t", "--group", "g", "--from", "2");

    assertEquals(1, result.exitCode());
    assertEquals("", result.out());
    assertEquals(
        "minikafka consume: --from is 2, t-1 has no records (the next offset is 0); beginning, end,"
            + " -N and a time fit every partition\n",
        result.err());
    // Where the group has committed, --from decides nothing.
    rig.ok("consume", "t", "--group", "g");
    assertEquals("", rig.ok("consume", "t", "--group", "g", "--from", "2"));
  }

  @Test
  void committedOffsetOutsideTheLogIsToldWithTheWayOn() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 10);
    rig.ok("consume", "t", "--group", "g", "--max", "1");
    rig.ok("topic", "delete-records", "t", "0", "--before", "5");

    Launcher.Result result = rig.run("consume", "t", "--group", "g");

    assertEquals(1, result.exitCode());
    assertEquals(
        "minikafka consume: t-0: the committed offset 1 is outside the log, which has offsets 5 to 9"
            + " (the next is 10); group reset g --topic t:0 with --to-earliest or --to-latest sets it"
            + " within\n",
        result.err());
  }

  @Test
  void aSessionMayBeAnyDurationWithinItsBounds() throws Exception {
    rig.ok("topic", "create", "t");
    assertEquals("", rig.ok("consume", "t", "--group", "g", "--session", "500ms"));
    assertEquals("", rig.ok("consume", "t", "--group", "h", "--session", "1.5"));
    for (String outside : List.of("0.01", "99ms", "31m")) {
      Launcher.Result result = rig.run("consume", "t", "--group", "g", "--session", outside);

      assertEquals(2, result.exitCode());
      assertTrue(result.err().contains("must be 100 ms … 30 min"), result::err);
    }
  }

  @Test
  void aMemberThatIsInterruptedWhileTheBrokerIsDownEnds() throws Exception {
    rig.ok("topic", "create", "t");
    Path out = dir.resolve("out");
    Process member = background(out, "consume", "t", "--group", "g", "--follow");
    rig.produce("t", 0, 10);
    awaitOffsets(lags -> lags.equals(List.of("0")), 1, "t", "g");
    rig.broker().kill();

    member.destroy();

    assertTrue(member.waitFor(30, SECONDS));
    assertEquals(143, member.exitValue());
    assertEquals(lines(0, 10), Files.readString(out));
  }

  @Test
  void severalTopicsAndPatternsAreReadByOneGroup() throws Exception {
    rig.ok("topic", "create", "log-a");
    rig.ok("topic", "create", "log-b");
    rig.ok("topic", "create", "other");
    rig.produce("log-a", 0, 5);
    rig.produce("log-b", 5, 10);
    rig.produce("other", 10, 15);

    String all = rig.ok("consume", "--pattern", "log-.*", "--group", "g");
    String two = rig.ok("consume", "log-a", "other", "--group", "h");
    String plain = rig.ok("consume", "log-b", "other");

    assertEquals(numbers(0, 10), new TreeSet<>(all.lines().toList()));
    assertEquals(10, two.lines().count());
    assertEquals(10, plain.lines().count());
  }

  @Test
  void groupsOfATopicAreListedAlone() throws Exception {
    for (String topic : List.of("t", "u")) {
      rig.ok("topic", "create", topic);
      rig.produce(topic, 0, 10);
      rig.ok("consume", topic, "--group", "reads-" + topic);
    }

    String listed = rig.ok("group", "list", "--topic", "t", "--output", "json");

    assertEquals(1, listed.lines().count(), listed);
    assertTrue(listed.contains("\"reads-t\""), listed);
  }

  @Test
  void groupsOfATopicThatNobodyReadsAndOfOneThatIsNotThereAreToldApart() throws Exception {
    rig.ok("topic", "create", "t");

    Launcher.Result unread = rig.run("group", "list", "--topic", "t");
    Launcher.Result stable = rig.run("group", "list", "--topic", "t", "--state", "stable");
    Launcher.Result unknown = rig.run("group", "list", "--topic", "nothing");

    assertEquals(0, unread.exitCode());
    assertEquals("", unread.out());
    assertEquals("no group has committed to t, or has subscribed to it\n", unread.err());
    assertEquals(0, stable.exitCode());
    assertEquals(
        "no group that has committed to t, or has subscribed to it, is stable\n", stable.err());
    assertEquals(1, unknown.exitCode());
    assertEquals("minikafka group list: there is no topic 'nothing'\n", unknown.err());
  }

  @Test
  void whereAGroupIsCanBeKeptAndComeBackTo() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 10);
    rig.ok("consume", "t", "--group", "g", "--max", "4");

    String kept = rig.ok("group", "reset", "g", "--to-current", "--dry-run", "--output", "json");

    assertTrue(kept.contains("\"oldOffset\":4,\"newOffset\":4,"), kept);
    Path before = Files.writeString(dir.resolve("before"), kept);
    rig.ok("consume", "t", "--group", "g");
    rig.ok("group", "reset", "g", "--from-file", before.toString(), "--yes");
    assertEquals(lines(4, 10), rig.ok("consume", "t", "--group", "g"));
  }

  @Test
  void whatIsAskedWronglyIsSaid() throws Exception {
    rig.ok("topic", "create", "t");
    assertEquals(2, rig.run("consume").exitCode());
    assertEquals(2, rig.run("consume", "t", "--pattern", "t", "--group", "g").exitCode());
    assertEquals(2, rig.run("consume", "--pattern", "t").exitCode());
    assertEquals(2, rig.run("consume", "--pattern", "(", "--group", "g").exitCode());
    assertEquals(2, rig.run("consume", "t", "--session", "5").exitCode());
    assertEquals(2, rig.run("consume", "t", "--group", "g", "--session", "0").exitCode());
    assertEquals(2, rig.run("consume", "t", "--group", "g", "--max", "0").exitCode());
    assertEquals(2, rig.run("consume", "t", "--group", "g", "--partition", "0").exitCode());
    assertEquals(2, rig.run("consume", "t", "--group", "").exitCode());
    assertEquals(1, rig.run("consume", "--pattern", "x", "--group", "g").exitCode());
    assertEquals(1, rig.run("consume", "nothing", "--group", "g").exitCode());
  }

  private void awaitOffsets(
      Predicate<List<String>> condition, int partitions, String topic, String group)
      throws Exception {
    long deadlineNanos = System.nanoTime() + SECONDS.toNanos(60);
    while (true) {
      List<String> lags =
          rig.ok("offsets", topic, "--group", group)
              .lines()
              .skip(1)
              .map(line -> line.strip().split(" +", -1)[LAG_COLUMN])
              .toList();
      if (lags.size() == partitions && condition.test(lags)) {
        return;
      }
      if (System.nanoTime() > deadlineNanos) {
        throw new AssertionError("lags stay " + lags);
      }
    }
  }

  private Process background(Path out, String... args) throws IOException {
    List<String> line = new ArrayList<>(List.of(args));
    if (!line.contains("--session")) {
      line.addAll(List.of(QUICK));
    }
    return rig.background(out, line.toArray(String[]::new));
  }
}
