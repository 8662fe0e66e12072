package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowFormatTest {
  private static final String HEAD =
      "run,measured_at,experiment,system,client,variant,record_bytes,batch_records,frame_bytes,fetch_bytes,"
          + "producers,partitions,consumers,group,idle_connections,in_flight,rate_per_s,flush_policy,durability,reps,records,"
          + "records_per_s,records_per_s_min,records_per_s_max,mb_per_s,mb_per_s_min,mb_per_s_max,"
          + "wire_mb_per_s,scheduled_p50_us,scheduled_p90_us,scheduled_p99_us,scheduled_p99_9_us,"
          + "scheduled_p99_99_us,scheduled_max_us,sent_p50_us,sent_p90_us,sent_p99_us,"
          + "sent_p99_9_us,sent_p99_99_us,sent_max_us,ack_p50_us,ack_p90_us,ack_p99_us,"
          + "ack_p99_9_us,ack_p99_99_us,ack_max_us,client_cpu_us,broker_cpu_us,"
          + "client_allocated_bytes,broker_allocated_bytes,broker_cpu_ms_per_s,broker_rss_mb,"
          + "broker_peak_rss_mb,kib_per_connection,ready_ms,ready_ms_min,ready_cpu_ms,read_mb_per_s,"
          + "disk_mb_per_s,peer_ratio,peer_p99_ratio,floor,floor_ratio,"
          + "floor_p99_ratio,kafka_ratio,kafka_p99_ratio,note,load1,cores,effort,revision,jdk,kernel";

  @Test
  void headIsTheSameInEveryRunOfThisVersion() {
    assertEquals(HEAD, RowFormat.csvHead());
  }

  @Test
  void rowAsCsvHasEveryColumnAndQuotesWhatNeedsIt() {
    assertEquals(
        "2026-01-31T12:00:00Z,,produce,,raw,,100,1000,128135,,1,,,,,5,,none,written,3,6000000,"
            + "2.5,1.25,1234567,0.00012346,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\"a, \"\"b\"\"\",0.8,,,,,,"
            + "2,,"
            + "0012345,,",
        RowFormat.csv(row()));
  }

  @Test
  void rowAsJsonHasWhatThereIsWithNumbersAsNumbers() {
    assertEquals(
        "{\"run\":\"2026-01-31T12:00:00Z\",\"experiment\":\"produce\",\"client\":\"raw\","
            + "\"record_bytes\":100,\"batch_records\":1000,\"frame_bytes\":128135,"
            + "\"producers\":1,\"in_flight\":5,\"flush_policy\":\"none\","
            + "\"durability\":\"written\",\"reps\":3,\"records\":6000000,\"records_per_s\":2.5,"
            + "\"records_per_s_min\":1.25,\"records_per_s_max\":1234567,"
            + "\"mb_per_s\":0.00012346,\"floor\":\"a, \\\"b\\\"\",\"floor_ratio\":0.8,"
            + "\"cores\":2,\"revision\":\"0012345\"}",
        RowFormat.json(row()));
  }

  @Test
  void whatIsNoNumberIsLeftEmpty() {
    Row row =
        Row.builder()
            .measured(Column.MB_PER_S, Double.NaN)
            .measured(Column.FLOOR_RATIO, 1 / 0.0)
            .build();
    assertEquals("{}", RowFormat.json(row));
  }

  @Test
  void rowReadFromCsvIsWrittenTheSame() {
    String line = RowFormat.csv(row());
    Row read = RowFormat.parse(RowFormat.cells(RowFormat.csvHead()), line);
    assertEquals(line, RowFormat.csv(read));
    assertEquals(0.8, read.number(Column.FLOOR_RATIO).orElseThrow());
  }

  @Test
  void rowOfAnotherVersionKeepsWhatBothKnow() {
    Row read = RowFormat.parse(List.of("experiment", "colour", "records"), "flush,red,7");
    assertEquals("{\"experiment\":\"flush\",\"records\":7}", RowFormat.json(read));
  }

  @Test
  void lineWithTooFewCellsIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> RowFormat.parse(List.of("run", "records"), "x"));
  }

  private static Row row() {
    return Row.builder()
        .text(Column.RUN, "2026-01-31T12:00:00Z")
        .text(Column.EXPERIMENT, "produce")
        .text(Column.CLIENT, "raw")
        .count(Column.RECORD_BYTES, 100)
        .count(Column.BATCH_RECORDS, 1000)
        .count(Column.FRAME_BYTES, 128_135)
        .count(Column.PRODUCERS, 1)
        .count(Column.IN_FLIGHT, 5)
        .text(Column.FLUSH_POLICY, "none")
        .text(Column.DURABILITY, "written")
        .count(Column.REPS, 3)
        .count(Column.RECORDS, 6_000_000)
        .measured(Column.RECORDS_PER_S, 2.5)
        .measured(Column.RECORDS_PER_S_MIN, 1.25)
        .measured(Column.RECORDS_PER_S_MAX, 1_234_567.4)
        .measured(Column.MB_PER_S, 0.000123456)
        .text(Column.FLOOR, "a, \"b\"")
        .measured(Column.FLOOR_RATIO, 0.8)
        .count(Column.CORES, 2)
        .text(Column.REVISION, "0012345")
        .build();
  }
}
