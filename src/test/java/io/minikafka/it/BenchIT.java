package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.bench.Column;
import io.minikafka.bench.Row;
import io.minikafka.bench.RowFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bench} as people run it. What it measures in a moment means nothing; that it does, does.
 */
class BenchIT {
  /** Columns that only some experiments have. */
  private static final List<Column> OF_EVERY_ROW =
      List.of(
          Column.RUN,
          Column.MEASURED_AT,
          Column.SYSTEM,
          Column.LOAD1,
          Column.CORES,
          Column.REVISION,
          Column.JDK,
          Column.KERNEL);

  /** Those of an experiment that sends or reads as fast as it can, or on a schedule. */
  private static final List<Column> OF_A_RATE =
      List.of(
          Column.CLIENT,
          Column.REPS,
          Column.RECORDS,
          Column.RECORDS_PER_S,
          Column.MB_PER_S,
          Column.CLIENT_CPU_US,
          Column.FLOOR);

  private static final List<String> RATES =
      List.of("produce", "consume", "latency", "flush", "scaling", "floor");

  @TempDir Path dir;

  @Test
  void quickRunOfEverythingLeavesEveryRowAndNothingElse() throws Exception {
    Path out = dir.resolve("out");

    Launcher.Result result = Launcher.run("bench", "all", "--quick", "--out", out.toString());

    assertEquals(0, result.exitCode(), result::err);
    List<Row> rows = RowFile.read(out);
    Map<String, Long> counts =
        rows.stream()
            .filter(row -> !List.of("floor", "start").contains(row.text(Column.EXPERIMENT)))
            .collect(
                Collectors.groupingBy(row -> row.text(Column.EXPERIMENT), Collectors.counting()));
    // And another build beside this one, if there is one.
    assertTrue(rows.stream().anyMatch(row -> row.text(Column.EXPERIMENT).equals("start")));
    assertEquals(
        Map.of(
            "produce", 8L, "consume", 5L, "latency", 3L, "flush", 3L, "scaling", 2L, "idle", 2L,
            "parked", 2L, "tail", 2L, "process", 1L),
        counts);
    for (Row row : rows) {
      assertNoneEmpty(row, OF_EVERY_ROW);
      assertEquals(
          "1 x 50 ms, 8 MB at most; warm-up 20 ms; latencies 300 ms", row.text(Column.EFFORT));
      if (!RATES.contains(row.text(Column.EXPERIMENT))) {
        continue;
      }
      assertNoneEmpty(row, OF_A_RATE);
      if (!row.text(Column.EXPERIMENT).equals("floor")) {
        assertFalse(row.text(Column.FLOOR_RATIO).isEmpty(), result::err);
        assertFalse(row.text(Column.BROKER_CPU_US).isEmpty(), result::err);
        assertFalse(row.text(Column.BROKER_ALLOCATED_BYTES).isEmpty(), result::err);
      }
      if (row.text(Column.EXPERIMENT).equals("latency")) {
        assertFalse(row.text(Column.SCHEDULED_P99_99_US).isEmpty(), result::err);
        assertFalse(row.text(Column.SENT_P50_US).isEmpty(), result::err);
        assertFalse(row.text(Column.ACK_P50_US).isEmpty(), result::err);
      }
    }
    assertEquals(
        List.of("flushed", "written", "written"),
        rows.stream()
            .filter(row -> row.text(Column.EXPERIMENT).equals("flush"))
            .map(row -> row.text(Column.DURABILITY))
            .sorted()
            .toList());
    assertEquals(List.of("broker.log", "latencies.hlog", "rows.csv", "rows.jsonl"), namesIn(out));
  }

  @Test
  void figuresBesideIdleConnectionsAndColdReadersStandBesideThoseWithout() throws Exception {
    Path out = dir.resolve("out");

    for (String experiment : List.of("idle", "tail", "start")) {
      Launcher.Result result =
          Launcher.run("bench", experiment, "--quick", "--out", out.toString());
      assertEquals(0, result.exitCode(), result::err);
    }

    Map<String, Row> last =
        RowFile.read(out).stream()
            .collect(
                Collectors.toMap(
                    row -> row.text(Column.EXPERIMENT), row -> row, (one, later) -> later));
    Row idle = of(last, "idle");
    assertEquals("50", idle.text(Column.IDLE_CONNECTIONS));
    assertNoneEmpty(
        idle,
        List.of(
            Column.RECORDS_PER_S,
            Column.PEER_RATIO,
            Column.KIB_PER_CONNECTION,
            Column.BROKER_PEAK_RSS_MB));
    assertNoneEmpty(of(last, "parked"), List.of(Column.BROKER_CPU_MS_PER_S));
    assertEquals("20 parked fetches", of(last, "parked").text(Column.VARIANT));
    assertNoneEmpty(
        of(last, "tail"),
        List.of(
            Column.RECORDS,
            Column.SCHEDULED_P99_US,
            Column.PEER_RATIO,
            Column.PEER_P99_RATIO,
            Column.READ_MB_PER_S,
            Column.DISK_MB_PER_S));
    assertNoneEmpty(
        of(last, "start"),
        List.of(
            Column.VARIANT,
            Column.READY_MS,
            Column.READY_MS_MIN,
            Column.READY_CPU_MS,
            Column.BROKER_RSS_MB));
    assertEquals(List.of("broker.log", "latencies.hlog", "rows.csv", "rows.jsonl"), namesIn(out));
  }

  private static Row of(Map<String, Row> rows, String experiment) {
    return Optional.ofNullable(rows.get(experiment)).orElseThrow();
  }

  private static void assertNoneEmpty(Row row, List<Column> columns) {
    columns.forEach(
        column ->
            assertFalse(
                row.text(column).isEmpty(),
                () -> column + " of " + row.text(Column.EXPERIMENT) + " is empty"));
  }

  @Test
  void reportDrawsTheCurvesOfTheLastRunWithoutTheProgramHavingWhatDrawsThem() throws Exception {
    Path out = dir.resolve("out");
    Files.createDirectory(out);
    Files.writeString(
        out.resolve("rows.csv"),
        """
        run,experiment,client,record_bytes,batch_records,in_flight,mb_per_s
        2026-01-31T12:00:00Z,produce,raw,100,1,1,0.5
        2026-02-01T12:00:00Z,scaling,raw,100,1,1,0.5
        """);

    Launcher.Result result = Launcher.run("bench", "report", "--out", out.toString());

    assertEquals(0, result.exitCode(), result::err);
    assertTrue(result.err().startsWith("1 row of run 2026-02-01T12:00:00Z: "), result::err);
    assertEquals(List.of("report.md", "rows.csv"), namesIn(out));
    result =
        Launcher.run("bench", "report", "--out", out.toString(), "--run", "2026-01-31T12:00:00Z");
    assertEquals(0, result.exitCode(), result::err);
    assertEquals(
        List.of("produce-raw.png", "produce-raw.svg", "report.md", "rows.csv"), namesIn(out));
    assertTrue(Files.readString(out.resolve("report.md")).contains("![](produce-raw.svg)"));
    Path app = Launcher.path().resolveSibling("quarkus-app");
    try (Stream<Path> files = Files.walk(app)) {
      assertEquals(List.of(), files.filter(file -> file.toString().contains("xchart")).toList());
    }
  }

  @Test
  void runningBrokerIsMeasuredAndKeepsNoTopicOfTheRun() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      Path out = dir.resolve("out");
      Launcher.Result result =
          Launcher.run(
              "bench",
              "scaling",
              "--quick",
              "--out",
              out.toString(),
              "--broker",
              "127.0.0.1:" + broker.port(),
              "--admin",
              "127.0.0.1:" + broker.httpPort());
      assertEquals(0, result.exitCode(), result::err);
      assertTrue(result.err().contains("rows.csv"), result::err);
      String metrics = broker.body("/q/metrics");
      assertTrue(metrics.contains("minikafka_produced_records_total"), metrics);
      assertFalse(metrics.contains("topic=\"bench-"), metrics);
    }
  }

  @Test
  void brokerOfARunThatIsToldToEndIsGoneWithItsData() throws Exception {
    Path out = dir.resolve("out");
    Process run =
        new ProcessBuilder(
                Launcher.path().toString(),
                "bench",
                "latency",
                "--rate",
                "1000",
                "--latency-time",
                "1h",
                "--time",
                "50ms",
                "--reps",
                "1",
                "--out",
                out.toString())
            .redirectErrorStream(true)
            .start();
    ProcessHandle broker = childWhenItMeasures(run);

    run.destroy();

    assertTrue(run.waitFor(60, TimeUnit.SECONDS));
    assertEquals(143, run.exitValue());
    assertFalse(broker.isAlive());
    // The floor that was measured by then has its row.
    assertEquals("floor", RowFile.read(out).getFirst().text(Column.EXPERIMENT));
    assertEquals(List.of("broker.log", "latencies.hlog", "rows.csv", "rows.jsonl"), namesIn(out));
  }

  /** The first row is that of a floor; then the broker is under load, for an hour. */
  private static ProcessHandle childWhenItMeasures(Process run) throws IOException {
    BufferedReader said = run.inputReader();
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line).append('\n');
      if (line.contains(" floor: ")) {
        return run.children().findFirst().orElseThrow();
      }
    }
    throw new IOException("it ended: " + all);
  }

  @Test
  void whatIsAskedWronglyIsToldWithItsBound() throws Exception {
    assertRefused("--reps is 0, must be 1 to 1000", "produce", "--reps", "0");
    assertRefused("--batch is 0, must be 1 to 1000000", "flush", "--batch", "0");
    assertRefused("--time is 0 s, must be 1 ms to 3600 s", "scaling", "--time", "0");
    assertRefused("--connections is 0, must be 1 to 1000000", "idle", "--connections", "0");
    assertRefused("--admin needs a --broker", "all", "--admin", "localhost:1");
    assertRefused("--client", "consume", "--client", "c");
    assertRefused(
        "nothing is left to be measured: ",
        "produce",
        "--in-flight",
        "1000",
        "--record-bytes",
        "10000",
        "--batch",
        "100");
  }

  private void assertRefused(String message, String... args) throws Exception {
    List<String> all = Stream.concat(Stream.of("bench"), Stream.of(args)).toList();
    Launcher.Result result = Launcher.run(all.toArray(String[]::new));
    assertEquals(2, result.exitCode(), result::err);
    assertTrue(result.err().contains(message), result::err);
    assertEquals(1, result.err().lines().count(), result::err);
  }

  private static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
