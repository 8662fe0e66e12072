package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LinesTest {
  private static final String PIPELINE = "batch 1 with 64 in flight, to one in flight";

  @Test
  void lineThatReachesItsTargetIsMet() {
    assertEquals("15.1 met", told(PIPELINE, List.of(produce(1, 10_000), produce(64, 151_000))));
  }

  @Test
  void lineBetweenItsTwoBoundsIsMetBelowItsTarget() {
    assertEquals(
        "10 met, below the target",
        told(PIPELINE, List.of(produce(1, 10_000), produce(64, 100_000))));
  }

  @Test
  void lineThatMissesWhatIsRequiredSaysSo() {
    assertEquals("9.9 NOT MET", told(PIPELINE, List.of(produce(1, 10_000), produce(64, 99_000))));
  }

  @Test
  void lineWithoutAllItsRowsIsNotMeasured() {
    assertEquals(" not measured", told(PIPELINE, List.of(produce(64, 99_000))));
  }

  @Test
  void rowsOfKafkaAreNotOurs() {
    Row kafka = produce(64, 200_000).with().text(Column.SYSTEM, "kafka").build();
    assertEquals(" not measured", told(PIPELINE, List.of(produce(1, 10_000), kafka)));
  }

  @Test
  void lessIsBetterWhereALineSaysAtMost() {
    String line = "p99 at the tail at 1,000/s beside a cold reader, to without";
    assertEquals("1.5 met", told(line, List.of(tail(1.5))));
    assertEquals("2.01 NOT MET", told(line, List.of(tail(2.01))));
  }

  @Test
  void consumedRecordsAreThoseOfASourceOfAGivenSpeed() {
    Row row =
        Row.builder()
            .text(Column.EXPERIMENT, "consume")
            .text(Column.SYSTEM, "minikafka")
            .text(Column.CLIENT, "raw")
            .count(Column.RECORD_BYTES, 100)
            .count(Column.FETCH_BYTES, 1 << 20)
            .count(Column.CONSUMERS, 1)
            .measured(Column.FLOOR_RATIO, 0.5)
            .measured(Column.RECORDS_PER_S, 10_000_000)
            .measured(Column.WIRE_MB_PER_S, 1_280)
            .build();
    assertEquals(
        "13.7 M records/s met",
        told("consume 100 B at 1 MiB, where a source does 3.5 GB/s", List.of(row)));
  }

  @Test
  void memoryCountsOnlyWhereTheHeapWasSmall() {
    String line = "resident memory at most, whole run with -Xmx128m";
    Row.Builder row =
        Row.builder()
            .text(Column.EXPERIMENT, "process")
            .text(Column.SYSTEM, "minikafka")
            .measured(Column.BROKER_PEAK_RSS_MB, 314.57);
    assertEquals(" not measured", told(line, List.of(row.build())));
    assertEquals("300 MiB met", told(line, List.of(row.text(Column.VARIANT, "-Xmx128m").build())));
  }

  @Test
  void ofSeveralRunsTheFirstThatHasALineTellsIt() {
    List<Row> rows =
        List.of(produce(1, 10_000), produce(64, 150_000), produce(1, 5_000), produce(64, 25_000));
    assertEquals("15 met", told(PIPELINE, rows));
  }

  @Test
  void processesAreComparedWithinTheRunThatHasBoth() {
    List<Row> rows =
        List.of(
            process("monday", "minikafka", 900),
            process("tuesday", "kafka", 8_000),
            process("tuesday", "minikafka", 1_600),
            process("wednesday", "minikafka", 9_000));
    assertEquals("0.2 met", told("start until ready, to Kafka", rows));
  }

  private static Row process(String run, String system, double readyMs) {
    return Row.builder()
        .text(Column.RUN, run)
        .text(Column.EXPERIMENT, "process")
        .text(Column.SYSTEM, system)
        .measured(Column.READY_MS, readyMs)
        .build();
  }

  @Test
  void noTwoLinesHaveTheSameName() {
    Set<String> names = Lines.ALL.stream().map(Line::inWords).collect(Collectors.toSet());
    assertEquals(Lines.ALL.size(), names.size());
  }

  private static String told(String inWords, List<Row> rows) {
    Line line =
        Lines.ALL.stream().filter(each -> each.inWords().equals(inWords)).findFirst().orElseThrow();
    return line.value(rows) + " " + line.verdict(rows);
  }

  private static Row tail(double ratio) {
    return Row.builder()
        .text(Column.EXPERIMENT, "tail")
        .text(Column.SYSTEM, "minikafka")
        .measured(Column.PEER_P99_RATIO, ratio)
        .build();
  }

  private static Row produce(int inFlight, double recordsPerSecond) {
    return Row.builder()
        .text(Column.EXPERIMENT, "produce")
        .text(Column.SYSTEM, "minikafka")
        .text(Column.CLIENT, "raw")
        .count(Column.RECORD_BYTES, 100)
        .count(Column.BATCH_RECORDS, 1)
        .count(Column.PRODUCERS, 1)
        .count(Column.IN_FLIGHT, inFlight)
        .measured(Column.RECORDS_PER_S, recordsPerSecond)
        .build();
  }
}
