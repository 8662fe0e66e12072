package io.minikafka.bench;

import static io.minikafka.bench.Column.*;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The curves of rows: which figure over which axis, a series for each setting of the others. Drawn
 * by whoever can draw. Stateless.
 */
public final class Curves {
  private static final List<Column> FROM_SCHEDULE =
      List.of(
          SCHEDULED_P50_US,
          SCHEDULED_P90_US,
          SCHEDULED_P99_US,
          SCHEDULED_P99_9_US,
          SCHEDULED_P99_99_US);

  /** 1 in so many records is slower. */
  private static final double[] ONE_IN = {2, 10, 100, 1_000, 10_000};

  /**
   * @param name for a file
   * @param series by name; both axes are logarithmic
   */
  public record Chart(
      String name, String title, String xTitle, String yTitle, Map<String, Series> series) {}

  /** As many x as y, x rising. */
  public record Series(List<Double> x, List<Double> y) {}

  private Curves() {}

  /** Charts without any series are left out. */
  public static List<Chart> of(List<Row> rows) {
    List<Chart> charts = new ArrayList<>();
    for (ClientKind kind : ClientKind.values()) {
      String client = kind.title();
      List<Row> own = rows.stream().filter(row -> row.text(CLIENT).equals(client)).toList();
      charts.add(
          chart(own, "produce", client, BATCH_RECORDS, MB_PER_S, List.of(RECORD_BYTES, IN_FLIGHT)));
      charts.add(
          chart(own, "consume", client, FETCH_BYTES, MB_PER_S, List.of(RECORD_BYTES, CONSUMERS)));
      charts.add(chart(own, "flush", client, BATCH_RECORDS, RECORDS_PER_S, List.of(FLUSH_POLICY)));
      charts.add(chart(own, "scaling", client, PRODUCERS, MB_PER_S, List.of(BATCH_RECORDS)));
    }
    charts.add(latency(rows));
    return charts.stream().filter(chart -> !chart.series().isEmpty()).toList();
  }

  private static Chart chart(
      List<Row> rows, String experiment, String client, Column x, Column y, List<Column> settings) {
    Map<String, TreeMap<Double, Double>> points = new LinkedHashMap<>();
    for (Row row : rows) {
      boolean isGroup = row.text(GROUP).equals("1");
      if (row.text(EXPERIMENT).equals(experiment) && !isGroup) {
        put(points.computeIfAbsent(name(row, settings), key -> new TreeMap<>()), row, x, y);
      }
    }
    Map<String, Series> series = new LinkedHashMap<>();
    points.forEach(
        (name, curve) -> {
          if (!curve.isEmpty()) {
            series.put(name, new Series(List.copyOf(curve.keySet()), List.copyOf(curve.values())));
          }
        });
    return new Chart(
        experiment + "-" + client, experiment + ", " + client, x.title(), y.title(), series);
  }

  private static void put(TreeMap<Double, Double> curve, Row row, Column x, Column y) {
    if (row.number(x).isPresent() && row.number(y).isPresent()) {
      curve.put(row.number(x).getAsDouble(), row.number(y).getAsDouble());
    }
  }

  private static Chart latency(List<Row> rows) {
    Map<String, Series> series = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.text(EXPERIMENT).equals("latency")) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i < ONE_IN.length; i++) {
          // Nothing can be said of one in more records than there were.
          double oneIn = ONE_IN[i];
          boolean enough = row.number(RECORDS).orElse(0) >= oneIn;
          row.number(FROM_SCHEDULE.get(i))
              .ifPresent(
                  us -> {
                    if (enough && us > 0) {
                      x.add(oneIn);
                      y.add(us);
                    }
                  });
        }
        if (!x.isEmpty()) {
          series.put(name(row, List.of(RATE_PER_S, BATCH_RECORDS, FLUSH_POLICY)), new Series(x, y));
        }
      }
    }
    return new Chart("latency", "latency from the schedule", "slower: one record in", "µs", series);
  }

  private static String name(Row row, List<Column> settings) {
    List<String> parts = new ArrayList<>();
    if (row.text(SYSTEM).equals("kafka")) {
      parts.add("kafka");
    }
    settings.forEach(column -> parts.add(column.title() + " " + row.text(column)));
    return String.join(", ", parts);
  }
}
