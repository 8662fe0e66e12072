package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.bench.Curves.Chart;
import io.minikafka.bench.Curves.Series;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CurvesTest {
  @Test
  void eachSettingIsASeriesAlongTheAxis() {
    List<Chart> charts =
        Curves.of(
            List.of(
                produce(1000, 1, 9),
                produce(10, 1, 5),
                produce(10, 5, 7),
                Row.builder().text(Column.EXPERIMENT, "floor").build()));
    assertEquals(
        List.of(
            new Chart(
                "produce-raw",
                "produce, raw",
                "batch_records",
                "mb_per_s",
                Map.of(
                    "record_bytes 100, in_flight 1",
                    new Series(List.of(10.0, 1000.0), List.of(5.0, 9.0)),
                    "record_bytes 100, in_flight 5",
                    new Series(List.of(10.0), List.of(7.0))))),
        charts);
  }

  @Test
  void latencyOfOneInMoreRecordsThanThereWereIsNotDrawn() {
    Row.Builder row =
        Row.builder()
            .text(Column.EXPERIMENT, "latency")
            .count(Column.RECORDS, 150)
            .count(Column.RATE_PER_S, 1000)
            .count(Column.BATCH_RECORDS, 1)
            .text(Column.FLUSH_POLICY, "none");
    Latencies latencies = new Latencies();
    for (int i = 0; i < 150; i++) {
      latencies.add(64_000);
    }
    latencies.fill(row, Column.SCHEDULED_P50_US);

    Chart chart = Curves.of(List.of(row.build())).getFirst();

    assertEquals(
        Map.of("rate_per_s 1000, batch_records 1, flush_policy none", List.of(2.0, 10.0, 100.0)),
        Map.copyOf(
            chart.series().entrySet().stream()
                .collect(
                    java.util.stream.Collectors.toMap(
                        Map.Entry::getKey, series -> series.getValue().x()))));
  }

  @Test
  void theOtherSystemIsASeriesOfItsOwn() {
    Row kafka = produce(10, 1, 4).with().text(Column.SYSTEM, "kafka").build();
    assertEquals(
        List.of("record_bytes 100, in_flight 1", "kafka, record_bytes 100, in_flight 1"),
        List.copyOf(Curves.of(List.of(produce(10, 1, 5), kafka)).getFirst().series().keySet()));
  }

  @Test
  void groupsAreNoPointOfACurve() {
    Row group =
        Row.builder()
            .text(Column.EXPERIMENT, "consume")
            .text(Column.CLIENT, "api")
            .count(Column.FETCH_BYTES, 1)
            .count(Column.GROUP, 1)
            .measured(Column.MB_PER_S, 1)
            .build();
    assertEquals(List.of(), Curves.of(List.of(group)));
  }

  private static Row produce(int batchRecords, int inFlight, double mbPerSecond) {
    return Row.builder()
        .text(Column.EXPERIMENT, "produce")
        .text(Column.CLIENT, "raw")
        .count(Column.RECORD_BYTES, 100)
        .count(Column.BATCH_RECORDS, batchRecords)
        .count(Column.IN_FLIGHT, inFlight)
        .measured(Column.MB_PER_S, mbPerSecond)
        .build();
  }
}
