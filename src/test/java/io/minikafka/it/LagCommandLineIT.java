package io.minikafka.it;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
  private BrokerProcess broker;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    broker = BrokerProcess.start(dir.resolve("data"));
    ok("topic", "create", "t");
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, 100).forEach(i -> lines.append(i).append('\n'));
    ok("produce", "t", "--file", Files.writeString(dir.resolve("numbers"), lines).toString());
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    broker.close();
  }

  @Test
  void whereThereAreNoGroupsItIsSaid() throws Exception {
    for (List<String> command : List.of(List.of("group", "list"), List.of("lag"))) {
      Launcher.Result result = run(command.toArray(String[]::new));
      assertEquals(0, result.exitCode());
      assertEquals("", result.out());
      assertEquals("there are no groups yet\n", result.err());
    }
    assertEquals("", ok("group", "list", "--output", "json"));
    assertEquals(new JsonArray(), object(ok("lag", "--output", "json")).getJsonArray("groups"));
  }

  @Test
  void groupWithoutMembersIsShown() throws Exception {
    ok("consume", "t", "--group", "g", "--max", "70");

    String list = ok("group", "list");
    assertTrue(list.matches("(?s)GROUP +STATE .*\ng +empty +.* 30 +\\d+\\.\\d{3} +0\n"), list);
    JsonObject listed = object(ok("group", "list", "--output", "json"));
    assertEquals("g", listed.getString("group"));
    assertEquals(0, listed.getInteger("memberCount"));
    assertEquals(30, listed.getInteger("totalLagRecords"));
    String described = ok("group", "describe", "g");
    assertTrue(described.startsWith("g is empty, generation "), described);
    assertFalse(described.contains("INSTANCE"), "no table of members: " + described);
    assertTrue(described.matches("(?s).*\nt +0 +70 +0 +100 +30 .* - +- +-\n.*"), described);
    assertTrue(described.matches("(?s).*\nREBALANCE +BEGAN .*"), described);
    JsonObject json = object(ok("group", "describe", "g", "--output", "json"));
    assertEquals(new JsonArray(), json.getJsonArray("members"));
    assertEquals(
        70, json.getJsonArray("partitions").getJsonObject(0).getInteger("committedOffset"));
    assertFalse(json.getJsonArray("rebalances").isEmpty());
  }

  @Test
  void liveMemberIsShownWithItsClientAndWhatItOwns() throws Exception {
    try (Consumer member = member()) {
      read(member, 100);
      member.commitSync();

      JsonObject json = object(ok("group", "describe", "g", "--output", "json"));
      assertEquals("stable", json.getString("state"));
      JsonObject shown = json.getJsonArray("members").getJsonObject(0);
      assertEquals("live", shown.getString("state"));
      assertEquals("reader", shown.getString("clientName"));
      assertEquals("127.0.0.1", shown.getString("host"));
      assertEquals("t", shown.getJsonArray("owned").getJsonObject(0).getString("topic"));
      String id = shown.getString("memberId");
      assertEquals(id, json.getJsonArray("partitions").getJsonObject(0).getString("owner"));
      String described = ok("group", "describe", "g");
      assertTrue(described.startsWith("g is stable, generation "), described);
      assertTrue(
          described.matches("(?s).*\n" + id + " +- +reader +127\\.0\\.0\\.1 +live .* 1 +0\n.*"),
          described);
      assertTrue(described.contains(id + "  reader  127.0.0.1\n"), described);
      String lag = ok("lag");
      assertTrue(lag.matches("(?s)GROUP .*\ng +t +0 +100 +100 +0 +0\\.000 +0 +" + id + "\n"), lag);
    }
  }

  @Test
  void onlyTheGroupsThatAreNamedAreShown() throws Exception {
    for (String group : List.of("a", "b", "c")) {
      ok("consume", "t", "--group", group, "--max", "70");
    }
    assertEquals(List.of("a", "b", "c"), names(ok("lag", "--output", "json")));
    assertEquals(
        List.of("a", "c"), names(ok("lag", "--group", "c", "--group", "a", "--output", "json")));
    assertEquals(List.of("a", "c"), names(ok("lag", "c", "a", "--output", "json")));
    assertEquals(List.of("a", "b", "c"), names(ok("lag", "--all-groups", "--output", "json")));
    String table = ok("lag", "b");
    assertEquals(2, table.lines().count(), table);
    assertTrue(table.lines().toList().getLast().startsWith("b "), table);
    String all = ok("lag");
    assertTrue(all.matches("(?s).*\ntotal: 3 partitions, lag 90 records, \\d+\\.\\d{3} s\n"), all);
  }

  @Test
  void severalGroupsAreDescribedEachOnALineForPrograms() throws Exception {
    for (String group : List.of("a", "b", "c")) {
      ok("consume", "t", "--group", group, "--max", "70");
    }
    for (List<String> line :
        List.of(
            List.of("group", "describe", "--all-groups"),
            List.of("group", "describe", "a", "b", "c"))) {
      List<String> json = new ArrayList<>(line);
      json.addAll(List.of("--output", "json"));
      assertEquals(
          List.of("a", "b", "c"),
          ok(json.toArray(String[]::new))
              .lines()
              .map(one -> object(one).getString("group"))
              .toList());
      String text = ok(line.toArray(String[]::new));
      assertTrue(text.matches("(?s)a is empty, .*\n\nb is empty, .*\n\nc is empty, .*"), text);
    }
    Launcher.Result oneMissing = run("group", "describe", "nobody", "b");
    assertEquals(1, oneMissing.exitCode());
    assertOneLine(oneMissing.err(), "there is no group 'nobody'");
    assertTrue(oneMissing.out().startsWith("b is empty"), oneMissing::out);
  }

  @Test
  void groupsAreChosenByTopicAndByState() throws Exception {
    ok("topic", "create", "u", "--partitions", "2");
    ok("consume", "t", "--group", "g", "--max", "70");
    ok("consume", "t", "u", "--group", "h");
    assertEquals(List.of("h"), names(ok("lag", "--topic", "u", "--output", "json")));
    assertEquals(List.of("g", "h"), names(ok("lag", "--topic", "t:0", "--output", "json")));
    assertEquals(List.of(), names(ok("lag", "--topic", "t:1", "--output", "json")));
    assertEquals(List.of("g", "h"), names(ok("lag", "--state", "empty", "--output", "json")));
    assertEquals(List.of(), names(ok("lag", "--state", "stable", "--output", "json")));
    assertEquals("", ok("group", "list", "--state", "rebalancing"));
    JsonObject narrowed =
        object(ok("group", "describe", "h", "--topic", "u:1", "--output", "json"));
    assertEquals(1, narrowed.getInteger("committedPartitionCount"));
    assertEquals(1, narrowed.getJsonArray("partitions").size());
    assertEquals("u", narrowed.getJsonArray("partitions").getJsonObject(0).getString("topic"));
  }

  @Test
  void groupThatDoesNotExistIsRefused() throws Exception {
    ok("consume", "t", "--group", "g", "--max", "70");

    Launcher.Result described = run("group", "describe", "nobody");
    assertEquals(1, described.exitCode());
    assertOneLine(described.err(), "there is no group 'nobody'");
    Launcher.Result lag = run("lag", "--group", "g", "--group", "nobody");
    assertEquals(1, lag.exitCode());
    assertOneLine(lag.err(), "there is no group 'nobody'");
    assertEquals(2, lag.out().lines().count(), "what there is is shown");
    Launcher.Result json = run("lag", "--group", "nobody", "--output", "json");
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
      Launcher.Result result = run("lag", "--watch", "--interval", outside);
      assertEquals(2, result.exitCode(), result::err);
      assertTrue(result.err().contains("must be 100 ms … 1 h"), result::err);
    }
    assertEquals(2, run("lag", "--interval", "x", "--watch").exitCode());
    Launcher.Result once = run("lag", "--interval", "1s");
    assertEquals(2, once.exitCode());
    assertTrue(once.err().contains("--interval needs --watch"), once::err);
    assertEquals(2, run("group", "describe").exitCode());
    assertEquals(2, run("group", "list", "--output", "xml").exitCode());
  }

  @Test
  void watchAppendsLookAfterLookUntilItIsInterrupted() throws Exception {
    ok("consume", "t", "--group", "g", "--max", "70");
    Path out = dir.resolve("watched");
    Process watch = background(out, "lag", "--watch", "--interval", "100ms");
    await(out, () -> read(out).split("GROUP ", -1).length > 3);
    ok("consume", "t", "--group", "g");
    await(out, () -> read(out).matches("(?s).*\ng +t +0 +100 +100 +0 .*"));

    signal(watch, "INT");

    assertEquals(SIGINT_CODE, watch.exitValue());
    String watched = read(out);
    assertFalse(watched.contains("\u001b"), "no control characters where there is no terminal");
    assertTrue(watched.matches("(?s).*\ng +t +0 +70 +100 +30 .*"), watched);
    Instant.parse(watched.lines().findFirst().orElseThrow());
    assertEquals("", read(errors(out)));
  }

  @Test
  void watchForProgramsIsOneObjectALine() throws Exception {
    Path out = dir.resolve("watched");
    Process watch =
        background(
            out, "lag", "--group", "g", "--watch", "--interval", "100ms", "--output", "json");
    await(out, () -> read(out).lines().count() > 1);
    ok("consume", "t", "--group", "g", "--max", "70");
    await(out, () -> read(out).contains("\"lagRecords\":30"));

    signal(watch, "TERM");

    assertEquals(SIGTERM_CODE, watch.exitValue());
    List<JsonObject> looks = read(out).lines().map(LagCommandLineIT::object).toList();
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
      Process watch = background(out, "lag", "--watch", "--output", format);
      await(out, () -> !read(out).isEmpty());

      broker.kill();

      assertTrue(watch.waitFor(30, SECONDS), "it ends");
      assertEquals(1, watch.exitValue());
      assertOneLine(
          read(errors(out)),
          "the connection to 127.0.0.1:%d was lost".formatted(broker.httpPort()));
      broker = broker.restart(dir.resolve("data"));
    }
  }

  @Test
  void brokerThatStopsEndsTheWatchWithALine() throws Exception {
    Path out = dir.resolve("watched");
    Process watch = background(out, "lag", "--watch");
    await(out, () -> !read(out).isEmpty());

    broker.terminate();

    assertTrue(watch.waitFor(30, SECONDS), "it ends");
    assertEquals(1, watch.exitValue());
    assertOneLine(read(errors(out)), "the broker is stopping");
  }

  @Test
  void readerThatHadEnoughEndsTheWatch() throws Exception {
    ok("consume", "t", "--group", "g", "--max", "70");
    for (String format : List.of("text", "json")) {
      String script =
          "%s lag --watch --interval 100ms --output %s | head -1"
              .formatted(Launcher.path(), format);
      Launcher.Result result =
          Launcher.runCommand(environment(), List.of("bash", "-o", "pipefail", "-c", script));
      assertEquals(0, result.exitCode(), result::err);
      assertEquals(1, result.out().lines().count());
      assertEquals("", result.err());
    }
  }

  private Consumer member() {
    Consumer member =
        Consumer.open(
            ConsumerSettings.builder(
                    ClientSettings.builder(new ServerAddress("127.0.0.1", broker.port()))
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

  private static void await(Path out, BooleanSupplier condition) {
    long deadlineNanos = System.nanoTime() + SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(
          System.nanoTime() < deadlineNanos, () -> "only:\n" + read(out) + read(errors(out)));
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path errors(Path out) {
    return out.resolveSibling(out.getFileName() + ".err");
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertTrue(process.waitFor(30, SECONDS), "it ends");
  }

  private Process background(Path out, String... args) throws IOException {
    // Of a program that is started in the background, a shell has SIGINT ignored: undo that.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(command(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(errors(out).toFile());
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
