package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceGrpc;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of a real broker, harmed behind its back: verify finds exactly that, repair gives it up,
 * and everything else is served, also by the next broker.
 */
@Timeout(240)
class RepairIT {
  /** Offsets of a batch; a segment holds two. */
  private static final int BATCH = 5;

  private static final int RECORDS = 40;

  @TempDir Path dir;
  private BrokerProcess broker;

  @BeforeEach
  void start() throws Exception {
    broker = BrokerProcess.start(data());
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private Path data() {
    return dir.resolve("data");
  }

  private void restart() throws Exception {
    broker.terminate();
    broker = broker.restart(data());
  }

  private void written() throws Exception {
    ok("topic", "create", "t", "--config", "segment.bytes=3600");
    for (int i = 0; i < RECORDS / BATCH; i++) {
      append();
    }
  }

  private void append() {
    LogServiceAppendRequest.Builder request = LogServiceAppendRequest.newBuilder().setTopic("t");
    for (int i = 0; i < BATCH; i++) {
      request.addRecords(AppendRecord.newBuilder().setValue(ByteString.copyFrom(new byte[300])));
    }
    ManagedChannel channel = channel();
    try {
      LogServiceGrpc.newBlockingStub(channel).append(request.build());
    } finally {
      channel.shutdownNow();
    }
  }

  private ManagedChannel channel() {
    return ManagedChannelBuilder.forAddress("127.0.0.1", broker.httpPort()).usePlaintext().build();
  }

  /** The file of our partition that begins with an offset. */
  private Path segment(long base) throws IOException {
    try (Stream<Path> files = Files.walk(data())) {
      List<Path> found =
          files
              .filter(path -> path.endsWith("%020d.log".formatted(base)))
              .filter(path -> !path.toString().contains("quarantine"))
              .filter(RepairIT::isOurs)
              .toList();
      assertEquals(1, found.size(), found::toString);
      return found.getFirst();
    }
  }

  private static void flip(Path file, long position) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 16);
    }
  }

  @Test
  void aFlippedBitUnderARunningBrokerIsFoundNamedAndSkipped() throws Exception {
    written();
    assertEquals(0, run("log", "verify", "t").exitCode());
    Path file = segment(10);
    flip(file, Files.size(file) / 2 + 200);

    Launcher.Result found = run("log", "verify", "t", "0");
    assertEquals(1, found.exitCode(), found::err);
    List<String> lines = found.out().lines().toList();
    assertEquals(2, lines.size(), found::out);
    assertTrue(lines.getFirst().startsWith("t-0: offsets 15 to 19 are damaged: "), found::out);
    assertTrue(ok("topic", "describe", "t").contains("t-0: offsets 15 to 19 are damaged"));
    assertTrue(ok("log", "segments", "t", "0").contains("sealed, damaged"));
    Launcher.Result tail = run("log", "tail", "t", "0", "--from", "0", "--output", "json");
    assertEquals(1, tail.exitCode());
    assertEquals(15, tail.out().lines().count());
    assertTrue(tail.err().contains("offsets 15 to 19 of t-0 are damaged"), tail::err);

    damageIsPassedOver();

    assertEquals(2, run("log", "repair", "t", "0", "--skip", "17").exitCode(), "nobody to ask");
    String plan = ok("log", "repair", "t", "0", "--skip", "17", "--dry-run");
    assertTrue(plan.startsWith("t-0: offsets 15 to 19 (5) would be given up"), plan);
    assertEquals(1, run("log", "verify", "t").exitCode(), "a dry run repairs nothing");
    String done = ok("log", "repair", "t", "0", "--skip", "17", "--yes");
    assertTrue(done.startsWith("t-0: offsets 15 to 19 (5) are given up"), done);
    assertTrue(done.contains("quarantine/"), done);
    isServedBut(15, 20, RECORDS);
    String verified = ok("log", "verify", "t");
    assertTrue(verified.contains("offsets 15 to 19 were given up by a repair"), verified);
    assertTrue(metric("minikafka_repairs_total").contains("1"));

    restart();
    isServedBut(15, 20, RECORDS);
    ok("log", "verify", "t");
    assertFalse(ok("topic", "describe", "t").contains("damaged"));
    append();
    isServedBut(15, 20, RECORDS + BATCH);
  }

  @Test
  void damageThatAReaderFindsFirstIsNamedByTheBrokerAndPassedOver() throws Exception {
    written();
    Path file = segment(10);
    long batch = Files.size(file) / 2;
    flip(file, batch + 96 + 2 * 328 + 100);
    flip(segment(20), 81);

    Launcher.Result refused = run("consume", "t", "--format", "%o\\n");
    assertEquals(1, refused.exitCode());
    assertEquals(17, refused.out().lines().count(), refused::out);
    assertEquals(
        "minikafka consume: t-0: offsets 17 to 19 are damaged; consume t --partition 0 --from 20"
            + " goes on behind them, --skip-damage behind all damage\n",
        refused.err());
    Launcher.Result passed = run("consume", "t", "--skip-damage", "--group", "reader");
    assertEquals(0, passed.exitCode(), passed::err);
    assertEquals(
        "t-0: offsets 15 to 19 are damaged and left out\n"
            + "t-0: offsets 20 to 24 are damaged and left out\n",
        passed.err());
    assertTrue(
        ok("offsets", "t", "--group", "reader", "--output", "json")
            .contains("\"committedOffset\":" + RECORDS));
    assertTrue(ok("log", "segments", "t", "0").contains("sealed, damaged"));
  }

  @Test
  void aBadMarkerHidesNothingButItsBatch() throws Exception {
    written();
    restart();
    smash(segment(30), 0, 120);
    smash(segment(10), 0, 60);

    Launcher.Result passed = run("consume", "t", "--skip-damage", "--format", "%o\\n");

    assertEquals(0, passed.exitCode(), passed::err);
    assertEquals(
        "t-0: offsets 10 to 14 are damaged and left out\n"
            + "t-0: offsets 30 to 34 are damaged and left out\n",
        passed.err());
    assertEquals(RECORDS - 2 * BATCH, passed.out().lines().count());
    append();
    assertTrue(run("consume", "t", "--from", "35", "--format", "%o\\n").out().startsWith("35\n"));
  }

  private static void smash(Path file, int position, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      flip(file, position + i);
    }
  }

  @Test
  void onATerminalThePlanIsShownAndAskedForAndProgramsGetOnlyWhatWasDone() throws Exception {
    boolean there = Files.isExecutable(Path.of("/usr/bin/script"));
    if (!there) {
      System.out.println("skipped: no /usr/bin/script to make a terminal with");
    }
    assumeTrue(there);
    written();
    Path file = segment(10);
    flip(file, Files.size(file) / 2 + 200);
    run("log", "verify", "t");

    String no = typed("n", "log repair t 0 --skip 17");
    assertTrue(no.contains("t-0: offsets 15 to 19 (5) would be given up"), no);
    assertTrue(no.contains("Repair it so? [y/N]"), no);
    assertTrue(no.contains("nothing was changed"), no);
    assertEquals(1, run("log", "verify", "t").exitCode(), "nothing was repaired");
    String errors = typed("n", "log repair t 0 --skip 17 --output json");
    assertTrue(errors.contains("would be given up"), errors);
    String json = typed("y", "log repair t 0 --skip 17 --output json 2>/dev/null");
    assertFalse(json.contains("would be"), json);
    assertFalse(json.contains("\"dryRun\":true"), json);
    assertTrue(json.contains("\"dryRun\":false"), json);
    isServedBut(15, 20, RECORDS);
  }

  /** What the command printed on a terminal on which that answer was typed. */
  private String typed(String answer, String line) throws IOException, InterruptedException {
    String command = "echo '%s' | script -qec '%s %s' /dev/null";
    return Launcher.runCommand(
            environment(), List.of("bash", "-c", command.formatted(answer, Launcher.path(), line)))
        .out();
  }

  /** As the refusal says that one can. */
  private void damageIsPassedOver() throws Exception {
    Launcher.Result refused = run("consume", "t", "--format", "%o\\n");
    assertEquals(1, refused.exitCode());
    assertEquals(15, refused.out().lines().count());
    assertEquals(
        "minikafka consume: t-0: offsets 15 to 19 are damaged; consume t --partition 0 --from 20"
            + " goes on behind them, --skip-damage behind all damage\n",
        refused.err());
    String behind = ok("consume", "t", "--partition", "0", "--from", "20", "--format", "%o\\n");
    assertTrue(behind.startsWith("20\n"), behind);
    for (String[] group : new String[][] {{}, {"--group", "reader"}}) {
      List<String> command = new ArrayList<>(List.of("consume", "t", "--skip-damage"));
      command.addAll(List.of(group));
      Launcher.Result passed = run(command.toArray(String[]::new));
      assertEquals(0, passed.exitCode(), passed::err);
      assertEquals("t-0: offsets 15 to 19 are damaged and left out\n", passed.err());
    }
    assertTrue(
        ok("offsets", "t", "--group", "reader", "--output", "json")
            .contains("\"committedOffset\":" + RECORDS));
  }

  private String metric(String name) throws Exception {
    return broker
        .body("/q/metrics")
        .lines()
        .filter(line -> line.startsWith(name))
        .reduce("", String::concat);
  }

  @Test
  void aMissingMiddleSegmentIsFoundAndSkipped() throws Exception {
    written();
    broker.terminate();
    Files.delete(segment(20));
    broker = broker.restart(data());
    Launcher.Result found = run("log", "verify", "t", "--output", "json");
    assertEquals(1, found.exitCode());
    assertTrue(found.out().contains("\"firstOffset\":20,\"lastOffset\":29"), found::out);
    ok("log", "repair", "t", "0", "--skip", "20", "--yes");
    isServedBut(20, 30, RECORDS);
    restart();
    isServedBut(20, 30, RECORDS);
    assertEquals(0, run("log", "verify").exitCode());
  }

  @Test
  void aRefusedEndIsCutAndThePartitionIsServedWithoutARestart() throws Exception {
    written();
    broker.terminate();
    Path last = segment(30);
    try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
      file.setLength(file.length() - 10);
    }
    broker = broker.restart(data());
    assertTrue(ok("topic", "describe", "t").contains("until it is repaired"));
    assertEquals(1, run("log", "append", "t", "--value", "x").exitCode());
    String done = ok("log", "repair", "t", "0", "--cut", "36", "--yes");
    assertTrue(done.startsWith("t-0: offsets 35 to 39 (5) are given up"), done);
    append();
    isServedBut(0, 0, RECORDS);
    assertFalse(ok("topic", "describe", "t").contains("offline"));
    restart();
    isServedBut(0, 0, RECORDS);
    assertEquals(0, run("log", "verify", "t").exitCode());
  }

  @Test
  void groupsAreServedAgainWhenTheirLogIsRepaired() throws Exception {
    written();
    ok("consume", "t", "--group", "g", "--max", "20");
    Path directory = data().resolve(describe("__consumer_offsets").getTopic().getId()).resolve("0");
    broker.terminate();
    Path log;
    try (Stream<Path> files = Files.list(directory)) {
      log =
          files
              .filter(path -> path.getFileName().toString().matches("[0-9]{20}\\.log"))
              .max(Path::compareTo)
              .orElseThrow();
    }
    Files.write(log, new byte[300], StandardOpenOption.APPEND);
    broker = broker.restart(data());
    String described = ok("topic", "describe", "__consumer_offsets");
    assertTrue(described.contains("until it is repaired"), described);
    assertEquals(1, run("offsets", "t", "--group", "g").exitCode());
    String end = String.valueOf(logEnd("__consumer_offsets"));
    ok("log", "repair", "__consumer_offsets", "0", "--cut", end, "--yes");
    awaitGroups();
    assertEquals(20, ok("consume", "t", "--group", "g", "--format", "%o\\n").lines().count());
  }

  private long logEnd(String topic) {
    return describe(topic).getPartitions(0).getLogEndOffset();
  }

  private TopicServiceDescribeResponse describe(String topic) {
    ManagedChannel channel = channel();
    try {
      return TopicServiceGrpc.newBlockingStub(channel)
          .describe(TopicServiceDescribeRequest.newBuilder().setName(topic).build());
    } finally {
      channel.shutdownNow();
    }
  }

  private void awaitGroups() throws Exception {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (run("offsets", "t", "--group", "g").exitCode() != 0) {
      assertTrue(System.nanoTime() < giveUp, "groups are not served");
    }
  }

  /** Ours hold long values of nothing. */
  private static boolean isOurs(Path file) {
    try {
      return Files.size(file) > 0
          && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
              .contains("\u0000".repeat(250));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every offset but those; and what a consumer of the data port gets is the same. */
  private void isServedBut(long from, long to, long end) throws Exception {
    List<Long> expected =
        LongStream.range(0, end).filter(o -> o < from || o >= to).boxed().toList();
    List<Long> consumed = new ArrayList<>();
    Launcher.Result result = run("consume", "t", "--format", "%o\\n");
    assertEquals(0, result.exitCode(), result::err);
    result.out().lines().map(Long::valueOf).forEach(consumed::add);
    assertEquals(expected, consumed);
    assertEquals(
        from == to
            ? ""
            : "t-0: offsets %d to %d are lost: they were damaged, and a repair gave them up\n"
                .formatted(from, to - 1),
        result.err());
  }

  private String ok(String... args) throws Exception {
    Launcher.Result result = run(args);
    assertEquals(0, result.exitCode(), () -> String.join(" ", args) + ": " + result.err());
    return result.out();
  }

  private Launcher.Result run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Launcher.path().toString()));
    command.addAll(List.of(args));
    return Launcher.runCommand(environment(), command);
  }

  private Map<String, String> environment() {
    return Map.of(
        "MINIKAFKA_BROKER", "127.0.0.1:" + broker.port(),
        "MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort());
  }
}
