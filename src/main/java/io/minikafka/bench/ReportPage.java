package io.minikafka.bench;

import static io.minikafka.bench.Column.*;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A page in Markdown out of rows: their conditions, and a table for each experiment, in the order
 * they were measured. Figures stand as they were written. Stateless.
 */
public final class ReportPage {
  private static final List<Column> THROUGHPUT =
      List.of(
          RECORDS_PER_S,
          RECORDS_PER_S_MIN,
          RECORDS_PER_S_MAX,
          MB_PER_S,
          WIRE_MB_PER_S,
          FLOOR_RATIO,
          KAFKA_RATIO,
          CLIENT_CPU_US,
          BROKER_CPU_US,
          CLIENT_ALLOCATED_BYTES,
          BROKER_ALLOCATED_BYTES,
          LOAD1);

  private static final List<Column> PRODUCE =
      List.of(
          SYSTEM,
          CLIENT,
          RECORD_BYTES,
          BATCH_RECORDS,
          PRODUCERS,
          PARTITIONS,
          IN_FLIGHT,
          FLUSH_POLICY,
          DURABILITY,
          REPS);

  private static final List<Column> CONSUME =
      List.of(SYSTEM, CLIENT, RECORD_BYTES, FETCH_BYTES, CONSUMERS, GROUP, REPS);

  private static final List<Column> LATENCY =
      List.of(
          SYSTEM,
          VARIANT,
          RATE_PER_S,
          RECORD_BYTES,
          BATCH_RECORDS,
          IN_FLIGHT,
          FLUSH_POLICY,
          DURABILITY,
          RECORDS,
          SCHEDULED_P50_US,
          SCHEDULED_P90_US,
          SCHEDULED_P99_US,
          SCHEDULED_P99_9_US,
          SCHEDULED_P99_99_US,
          SCHEDULED_MAX_US,
          SENT_P50_US,
          SENT_P99_US,
          ACK_P50_US,
          ACK_P99_US,
          FLOOR,
          FLOOR_RATIO,
          FLOOR_P99_RATIO,
          KAFKA_RATIO,
          KAFKA_P99_RATIO,
          PEER_RATIO,
          PEER_P99_RATIO,
          READ_MB_PER_S,
          DISK_MB_PER_S,
          NOTE,
          LOAD1);

  private static final List<Column> FLOORS =
      List.of(
          FLOOR,
          REPS,
          RECORDS_PER_S,
          MB_PER_S,
          MB_PER_S_MIN,
          MB_PER_S_MAX,
          ACK_P50_US,
          ACK_P99_US,
          ACK_P99_9_US,
          LOAD1);

  private static final List<Column> PROCESS =
      List.of(
          SYSTEM,
          VARIANT,
          REPS,
          READY_MS,
          READY_MS_MIN,
          READY_CPU_MS,
          BROKER_RSS_MB,
          BROKER_PEAK_RSS_MB,
          PEER_RATIO,
          LOAD1);
  private static final List<Column> IDLE =
      List.of(
          SYSTEM,
          VARIANT,
          PRODUCERS,
          PARTITIONS,
          IDLE_CONNECTIONS,
          REPS,
          RECORDS_PER_S,
          RECORDS_PER_S_MIN,
          RECORDS_PER_S_MAX,
          PEER_RATIO,
          KIB_PER_CONNECTION,
          BROKER_CPU_MS_PER_S,
          BROKER_PEAK_RSS_MB,
          CLIENT_CPU_US,
          BROKER_CPU_US,
          NOTE,
          LOAD1);

  private static final List<Column> CONDITIONS = List.of(RUN, EFFORT, REVISION, JDK, KERNEL, CORES);

  private ReportPage() {}

  /** The name of the last run that any row is of; empty if there are no rows. */
  public static String lastRun(List<Row> rows) {
    return rows.stream().map(row -> row.text(RUN)).max(String::compareTo).orElse("");
  }

  /**
   * @param images paths of the curves, relative to the page
   */
  public static String render(List<Row> rows, List<String> images) {
    StringBuilder page = new StringBuilder("# Benchmarks\n\n");
    page.append("Made from rows.csv; docs/BENCHMARKS.md says what the columns mean.\n\n");
    conditions(page, rows);
    lines(page, rows);
    images.forEach(image -> page.append("![](").append(image).append(")\n\n"));
    Set<String> experiments = new LinkedHashSet<>();
    rows.forEach(row -> experiments.add(row.text(EXPERIMENT)));
    for (String experiment : experiments) {
      page.append("## ").append(experiment).append("\n\n");
      table(
          page,
          columns(experiment),
          rows.stream().filter(row -> row.text(EXPERIMENT).equals(experiment)).toList());
    }
    return page.toString();
  }

  private static void lines(StringBuilder page, List<Row> rows) {
    page.append("## The lines that matter\n\n");
    line(page, List.of("line", "value", "target", "required", "met?"));
    line(page, List.of("---", "---", "---", "---", "---"));
    for (Line each : Lines.ALL) {
      line(
          page,
          List.of(
              each.inWords(),
              each.value(rows),
              each.bound(each.target()),
              each.bound(each.required()),
              each.verdict(rows)));
    }
    page.append('\n');
  }

  private static void conditions(StringBuilder page, List<Row> rows) {
    page.append("| condition | |\n|---|---|\n");
    for (Column column : CONDITIONS) {
      String values =
          rows.stream().map(row -> row.text(column)).distinct().collect(Collectors.joining("; "));
      page.append("| %s | %s |\n".formatted(column.title(), values));
    }
    var loads =
        rows.stream().flatMapToDouble(row -> row.number(LOAD1).stream()).summaryStatistics();
    if (loads.getCount() > 0) {
      page.append("| load1 | %s to %s |\n".formatted(loads.getMin(), loads.getMax()));
    }
    page.append('\n');
  }

  /** Columns in which no row has anything are left out. */
  private static void table(StringBuilder page, List<Column> all, List<Row> rows) {
    List<Column> columns =
        all.stream()
            .filter(column -> rows.stream().anyMatch(row -> !row.text(column).isEmpty()))
            .toList();
    line(page, columns.stream().map(Column::title).toList());
    line(page, columns.stream().map(column -> "---").toList());
    for (Row row : rows) {
      line(page, columns.stream().map(row::text).toList());
    }
    page.append('\n');
  }

  private static void line(StringBuilder page, List<String> cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static List<Column> columns(String experiment) {
    return switch (experiment) {
      case "latency", "tail" -> LATENCY;
      case "floor" -> FLOORS;
      case "process", "start" -> PROCESS;
      case "idle", "parked" -> IDLE;
      case "consume" -> joined(CONSUME);
      default -> joined(PRODUCE);
    };
  }

  private static List<Column> joined(List<Column> shape) {
    List<Column> all = new ArrayList<>(shape);
    all.addAll(THROUGHPUT);
    return all;
  }
}
