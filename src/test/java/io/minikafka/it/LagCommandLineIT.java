package io.minikafka.it;

import static io.minikafka.it.CommandLineRig.await;
import static io.minikafka.it.CommandLineRig.errors;
import static io.minikafka.it.CommandLineRig.text;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How far groups have read, on the real command line, against a real broker. */
@Timeout(180)
class LagCommandLineIT {
  private static final int SIGINT_CODE = 130;
  private static final int SIGTERM_CODE = 143;

  @TempDir Path dir;
  private CommandLineRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new CommandLineRig(dir);
    rig.ok("topic", "create", "t");
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, 100).forEach(i -> lines.append(i).append('\n'));
    rig.ok("produce", "t", "--file", Files.writeString(dir.resolve("numbers"), lines).toString());
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void whereThereAreNoGroupsItIsSaid() throws Exception {
    for (List<String> command : List.of(List.of("group", "list"), List.of("lag"))) {
      Launcher.Result result = rig.run(command.toArray(String[]::new));
      assertEquals(0, result.exitCode());
      assertEquals("", result.out());
      assertEquals("there are no groups yet\n", result.err());
    }
    assertEquals("", rig.ok("group", "list", "--output", "json"));
    assertEquals(new JsonArray(), object(rig.ok("lag", "--output", "json")).getJsonArray("groups"));
  }

  @Test
  void groupWithoutMembersIsShown() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");

    String list = rig.ok("group", "list");
    assertTrue(list.matches("(?s)GROUP +STATE .*\ng +empty +.* 30 +\\d+\\.\\d{3} +0\n"), list);
    JsonObject listed = object(rig.ok("group", "list", "--output", "json"));
    assertEquals("g", listed.getString("group"));
    assertEquals(0, listed.getInteger("memberCount"));
    assertEquals(30, listed.getInteger("totalLagRecords"));
    String described = rig.ok("group", "describe", "g");
    assertTrue(described.startsWith("g is empty, generation "), described);
    assertFalse(described.contains("INSTANCE"), "no table of members: " + described);
    assertTrue(described.matches("(?s).*\nt +0 +70 +0 +100 +30 .* - +- +-\n.*"), described);
    assertTrue(described.matches("(?s).*\nREBALANCE +BEGAN .*"), described);
    JsonObject json = object(rig.ok("group", "describe", "g", "--output", "json"));
    assertEquals(new JsonArray(), json.getJsonArray("members"));
    assertEquals(
        70, json.getJsonArray("partitions").getJsonObject(0).getInteger("committedOffset"));
    assertFalse(json.getJsonArray("rebalances").isEmpty());
  }

  @Test
  void whatWasDeletedUnreadIsNoLagInOffsetsEither() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "5");
    rig.ok("topic", "delete-records", "t", "0", "--before", "95");

    assertEquals(
        "PARTITION  START  HIGH-WATERMARK  RECORDS  COMMITTED  LAG  DELETED\n"
            + "        0     95             100        5          5    5       90\n",
        rig.ok("offsets", "t", "--group", "g"));
    JsonObject offsets = object(rig.ok("offsets", "t", "--group", "g", "--output", "json"));
    JsonObject lag =
        object(rig.ok("lag", "g", "--output", "json"))
            .getJsonArray("groups")
            .getJsonObject(0)
            .getJsonArray("partitions")
            .getJsonObject(0);
    for (String both : List.of("committedOffset", "lagRecords", "deletedUnreadRecords")) {
      assertEquals(lag.getInteger(both), offsets.getInteger(both), both);
    }
    rig.ok("group", "reset", "g", "--to-latest", "--yes");
    assertTrue(rig.ok("offsets", "t", "--group", "g").endsWith(" 100    0        0\n"));
  }

  @Test
  void liveMemberIsShownWithItsClientAndWhatItOwns() throws Exception {
    try (Consumer member = member()) {
      read(member, 100);
      member.commitSync();

      JsonObject json = object(rig.ok("group", "describe", "g", "--output", "json"));
      assertEquals("stable", json.getString("state"));
      JsonObject shown = json.getJsonArray("members").getJsonObject(0);
      assertEquals("live", shown.getString("state"));
      assertEquals("reader", shown.getString("clientName"));
      assertEquals("127.0.0.1", shown.getString("host"));
      assertEquals("t", shown.getJsonArray("owned").getJsonObject(0).getString("topic"));
      String id = shown.getString("memberId");
      assertEquals(id, json.getJsonArray("partitions").getJsonObject(0).getString("owner"));
      String described = rig.ok("group", "describe", "g");
      assertTrue(described.startsWith("g is stable, generation "), described);
      assertTrue(
          described.matches("(?s).*\n" + id + " +- +reader +127\\.0\\.0\\.1 +live .* 1 +0\n.*"),
          described);
      assertTrue(described.contains(id + "  reader  127.0.0.1\n"), described);
      String lag = rig.ok("lag");
      assertTrue(lag.matches("(?s)GROUP .*\ng +t +0 +100 +100 +0 +0\\.000 +0 +" + id + "\n"), lag);
    }
  }

  @Test
  void onlyTheGroupsThatAreNamedAreShown() throws Exception {
    for (String group : List.of("a", "b", "c")) {
      rig.ok("consume", "t", "--group", group, "--max", "70");
    }
    assertEquals(List.of("a", "b", "c"), names(rig.ok("lag", "--output", "json")));
    assertEquals(
        List.of("a", "c"),
        names(rig.ok("lag", "--group", "c", "--group", "a", "--output", "json")));
    assertEquals(List.of("a", "c"), names(rig.ok("lag", "c", "a", "--output", "json")));
    assertEquals(List.of("a", "b", "c"), names(rig.ok("lag", "--all-groups", "--output", "json")));
    String table = rig.ok("lag", "b");
    assertEquals(2, table.lines().count(), table);
    assertTrue(table.lines().toList().getLast().startsWith("b "), table);
    String all = rig.ok("lag");
    assertTrue(all.matches("(?s).*\ntotal: 3 partitions, lag 90 records, \\d+\\.\\d{3} s\n"), all);
  }

  @Test
  void severalGroupsAreDescribedEachOnALineForPrograms() throws Exception {
    for (String group : List.of("a", "b", "c")) {
      rig.ok("consume", "t", "--group", group, "--max", "70");
    }
    for (List<String> line :
        List.of(
            List.of("group", "describe", "--all-groups"),
            List.of("group", "describe", "a", "b", "c"))) {
      List<String> json = new ArrayList<>(line);
      json.addAll(List.of("--output", "json"));
      assertEquals(
          List.of("a", "b", "c"),
          rig.ok(json.toArray(String[]::new))
              .lines()
              .map(one -> object(one).getString("group"))
              .toList());
      String text = rig.ok(line.toArray(String[]::new));
      assertTrue(text.matches("(?s)a is empty, .*\n\nb is empty, .*\n\nc is empty, .*"), text);
    }
    Launcher.Result oneMissing = rig.run("group", "describe", "nobody", "b");
    assertEquals(1, oneMissing.exitCode());
    assertOneLine(oneMissing.err(), "there is no group 'nobody'");
    assertTrue(oneMissing.out().startsWith("b is empty"), oneMissing::out);
  }

  @Test
  void groupsAreChosenByTopicAndByState() throws Exception {
    rig.ok("topic", "create", "u", "--partitions", "2");
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    rig.ok("consume", "t", "u", "--group", "h");
    assertEquals(List.of("h"), names(rig.ok("lag", "--topic", "u", "--output", "json")));
    assertEquals(List.of("g", "h"), names(rig.ok("lag", "--topic", "t:0", "--output", "json")));
    assertEquals(List.of(), names(rig.ok("lag", "--topic", "t:1", "--output", "json")));
    assertEquals("no group has what --topic asks for\n", rig.run("lag", "--topic", "t:1").err());
    assertEquals("no group has what --state asks for\n", rig.run("lag", "--state", "stable").err());
    assertEquals(
        "no group has what --topic and --state ask for\n",
        rig.run("lag", "--topic", "t:0", "--state", "stable").err());
    assertEquals(List.of("g", "h"), names(rig.ok("lag", "--state", "empty", "--output", "json")));
    assertEquals(List.of(), names(rig.ok("lag", "--state", "stable", "--output", "json")));
    assertEquals("", rig.ok("group", "list", "--state", "rebalancing"));
    JsonObject narrowed =
        object(rig.ok("group", "describe", "h", "--topic", "u:1", "--output", "json"));
    assertEquals(1, narrowed.getInteger("committedPartitionCount"));
    assertEquals(1, narrowed.getJsonArray("partitions").size());
    assertEquals("u", narrowed.getJsonArray("partitions").getJsonObject(0).getString("topic"));
  }

  @Test
  void groupThatDoesNotExistIsRefused() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");

    Launcher.Result described = rig.run("group", "describe", "nobody");
    assertEquals(1, described.exitCode());
    assertOneLine(described.err(), "there is no group 'nobody'");
    Launcher.Result lag = rig.run("lag", "--group", "g", "--group", "nobody");
    assertEquals(1, lag.exitCode());
    assertOneLine(lag.err(), "there is no group 'nobody'");
    assertEquals(2, lag.out().lines().count(), "what there is is shown");
    Launcher.Result json = rig.run("lag", "--group", "nobody", "--output", "json");
    assertEquals(1, json.exitCode());
    assertEquals(List.of(), names(json.out()));
    JsonObject error = object(json.err());
    assertEquals("there is no group 'nobody'", error.getString("error"));
    assertEquals("UNKNOWN_GROUP", error.getString("reason"));
    assertEquals("NOT_FOUND", error.getString("code"));
    assertEquals("minikafka lag", error.getString("command"));
  }

  @Test
  void whatIsAskedWronglyIsSaid() throws Exception {
    for (String outside : List.of("99ms", "0", "3601s", "2h")) {
      Launcher.Result result = rig.run("lag", "--watch", "--interval", outside);
      assertEquals(2, result.exitCode(), result::err);
      assertTrue(result.err().contains("must be 100 ms … 1 h"), result::err);
    }
    assertEquals(2, rig.run("lag", "--interval", "x", "--watch").exitCode());
    Launcher.Result once = rig.run("lag", "--interval", "1s");
    assertEquals(2, once.exitCode());
    assertTrue(once.err().contains("--interval needs --watch"), once::err);
    assertEquals(2, rig.run("group", "describe").exitCode());
    assertEquals(2, rig.run("group", "list", "--output", "xml").exitCode());
  }

  @Test
  void watchAppendsLookAfterLookUntilItIsInterrupted() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    Path out = dir.resolve("watched");
    Process watch = rig.background(out, "lag", "--watch", "--interval", "100ms");
    await(out, () -> text(out).split("GROUP ", -1).length > 3);
    rig.ok("consume", "t", "--group", "g");
    await(out, () -> text(out).matches("(?s).*\ng +t +0 +100 +100 +0 .*"));

    signal(watch, "INT");

    assertEquals(SIGINT_CODE, watch.exitValue());
    String watched = text(out);
    assertFalse(watched.contains("\u001b"), "no control characters where there is no terminal");
    assertTrue(watched.matches("(?s).*\ng +t +0 +70 +100 +30 .*"), watched);
    Instant.parse(watched.lines().findFirst().orElseThrow());
    assertEquals("", text(errors(out)));
  }

  @Test
  void watchForProgramsIsOneObjectALine() throws Exception {
    Path out = dir.resolve("watched");
    Process watch =
        rig.background(
            out, "lag", "--group", "g", "--watch", "--interval", "100ms", "--output", "json");
    await(out, () -> text(out).lines().count() > 1);
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    await(out, () -> text(out).contains("\"lagRecords\":30"));

    signal(watch, "TERM");

    assertEquals(SIGTERM_CODE, watch.exitValue());
    List<JsonObject> looks = text(out).lines().map(LagCommandLineIT::object).toList();
    assertEquals(new JsonArray(), looks.getFirst().getJsonArray("groups"));
    JsonObject group = looks.getLast().getJsonArray("groups").getJsonObject(0);
    assertEquals("g", group.getString("group"));
    assertEquals(30, group.getJsonArray("partitions").getJsonObject(0).getInteger("lagRecords"));
    Instant before = Instant.MIN;
    for (JsonObject look : looks) {
      Instant at = Instant.parse(look.getString("at"));
      assertTrue(at.isAfter(before), () -> "looks in order: " + looks);
      before = at;
    }
  }

  @Test
  void brokerThatIsKilledEndsTheWatchWithALine() throws Exception {
    for (String format : List.of("text", "json")) {
      Path out = dir.resolve("watched-" + format);
      Process watch = rig.background(out, "lag", "--watch", "--output", format);
      await(out, () -> !text(out).isEmpty());

      rig.broker().kill();

      assertTrue(watch.waitFor(30, SECONDS), "it ends");
      assertEquals(1, watch.exitValue());
      assertOneLine(
          text(errors(out)),
          "the connection to 127.0.0.1:%d was lost".formatted(rig.broker().httpPort()));
      rig.startAgain();
    }
  }

  @Test
  void brokerThatStopsEndsTheWatchWithALine() throws Exception {
    Path out = dir.resolve("watched");
    Process watch = rig.background(out, "lag", "--watch");
    await(out, () -> !text(out).isEmpty());

    rig.broker().terminate();

    assertTrue(watch.waitFor(30, SECONDS), "it ends");
    assertEquals(1, watch.exitValue());
    assertOneLine(text(errors(out)), "the broker is stopping");
  }

  @Test
  void readerThatHadEnoughEndsTheWatch() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    for (String format : List.of("text", "json")) {
      String script =
          "MINIKAFKA lag --watch --interval 100ms --output %s | head -1".formatted(format);
      Launcher.Result result = rig.shell(script);
      assertEquals(0, result.exitCode(), result::err);
      assertEquals(1, result.out().lines().count());
      assertEquals("", result.err());
    }
  }

  private Consumer member() {
    Consumer member =
        Consumer.open(
            ConsumerSettings.builder(
                    ClientSettings.builder(new ServerAddress("127.0.0.1", rig.broker().port()))
                        .clientName("reader")
                        .build())
                .build());
    member.subscribe(
        List.of("t"), GroupSettings.builder("g").autoCommit(false).build(), RebalanceListener.NONE);
    return member;
  }

  private static void read(Consumer member, int records) {
    long deadlineNanos = System.nanoTime() + SECONDS.toNanos(60);
    int left = records;
    while (left > 0) {
      assertTrue(System.nanoTime() < deadlineNanos, "records are missing");
      left -= member.poll(Duration.ofMillis(20)).size();
    }
  }

  private static void assertOneLine(String err, String words) {
    assertTrue(err.contains(words), () -> "'" + words + "' in: " + err);
    assertEquals(1, err.lines().count(), err);
  }

  private static List<String> names(String look) {
    JsonArray groups = object(look).getJsonArray("groups");
    return IntStream.range(0, groups.size())
        .mapToObj(i -> groups.getJsonObject(i).getString("group"))
        .toList();
  }

  private static JsonObject object(String line) {
    assertEquals(1, line.lines().count(), line);
    return new JsonObject(line);
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertTrue(process.waitFor(30, SECONDS), "it ends");
  }
}
