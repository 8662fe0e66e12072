package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.bench.Bench;
import io.minikafka.bench.Column;
import io.minikafka.bench.HistogramFile;
import io.minikafka.bench.Latencies;
import io.minikafka.bench.Row;
import io.minikafka.bench.RowFile;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Writes the rows and says how far it is: on a terminal in one line that is written again and
 * again, else a line for each row. One thread.
 */
final class BenchOutput implements Bench.Output {
  private final PrintWriter err;
  private final RowFile rows;
  private final HistogramFile samples;
  private final InstantSource clock;
  private final Instant began;
  private final boolean isTerminal;
  private String where = "";
  private int written;

  BenchOutput(PrintWriter err, RowFile rows, HistogramFile samples, InstantSource clock) {
    this.err = err;
    this.rows = rows;
    this.samples = samples;
    this.clock = clock;
    this.began = clock.instant();
    Console console = System.console();
    this.isTerminal = console != null && console.isTerminal();
  }

  /** What is told at the end. */
  record Summary(int rows, Duration time) {
    String inWords(Path directory) {
      return "%s in %s, in %s"
          .formatted(
              Counted.of(rows, "row"),
              DurationConverter.inWords(time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS)),
              directory.resolve("rows.csv"));
    }
  }

  @Override
  public void begins(int index, int count, String inWords) {
    where = "%d/%d %s".formatted(index + 1, count, inWords);
    if (isTerminal) {
      err.print("\r\u001b[K" + where);
      err.flush();
    }
  }

  @Override
  public void row(Row row) throws IOException {
    rows.write(row);
    written++;
    if (isTerminal) {
      err.print("\r\u001b[K");
    }
    err.println(where + ": " + result(row));
  }

  @Override
  public void samples(String tag, Latencies latencies) throws IOException {
    samples.write(tag, latencies, clock.millis());
  }

  Summary end() {
    return new Summary(written, Duration.between(began, clock.instant()));
  }

  private static String result(Row row) {
    String ofOwnKind =
        switch (row.text(Column.EXPERIMENT)) {
          case "parked" -> "%s ms of CPU a second".formatted(row.text(Column.BROKER_CPU_MS_PER_S));
          case "start" ->
              "ready after %s ms, at best %s ms"
                  .formatted(row.text(Column.READY_MS), row.text(Column.READY_MS_MIN));
          case "process" ->
              "%s MB resident, %s MB at most"
                  .formatted(row.text(Column.BROKER_RSS_MB), row.text(Column.BROKER_PEAK_RSS_MB));
          default -> rateOrLatency(row) + perConnection(row);
        };
    String variant = row.text(Column.VARIANT);
    String peer = row.text(Column.PEER_RATIO);
    String p99 = row.text(Column.PEER_P99_RATIO);
    return (variant.isEmpty() ? "" : variant + ": ")
        + ofOwnKind
        + (peer.isEmpty() ? "" : ", %s of its peer".formatted(peer))
        + (p99.isEmpty() ? "" : " (p99 %s)".formatted(p99))
        + (row.text(Column.NOTE).isEmpty() ? "" : "; " + row.text(Column.NOTE));
  }

  private static String perConnection(Row row) {
    String kib = row.text(Column.KIB_PER_CONNECTION);
    return kib.isEmpty()
        ? ""
        : ", %s KiB for each of %s idle connections"
            .formatted(kib, row.text(Column.IDLE_CONNECTIONS));
  }

  private static String rateOrLatency(Row row) {
    String ratio = row.text(Column.FLOOR_RATIO);
    String toTheFloor = ratio.isEmpty() ? "" : ", %s of the floor".formatted(ratio);
    String p50 = row.text(Column.SCHEDULED_P50_US);
    if (!p50.isEmpty()) {
      return "p50 %s µs, p99 %s µs%s".formatted(p50, row.text(Column.SCHEDULED_P99_US), toTheFloor);
    }
    return "%s/s, %s MB/s%s"
        .formatted(row.text(Column.RECORDS_PER_S), row.text(Column.MB_PER_S), toTheFloor);
  }
}
