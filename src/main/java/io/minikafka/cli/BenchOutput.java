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
