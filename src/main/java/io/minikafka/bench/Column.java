package io.minikafka.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The columns of a row, in the order they are written. The table of docs/BENCHMARKS.md is compared
 * with this one.
 */
public enum Column {
  RUN("When the run began; the same in all its rows."),
  MEASURED_AT("When this row was measured."),
  EXPERIMENT(
      "produce, consume, latency, flush, scaling, floor, idle, parked, tail, start or process."),
  SYSTEM("What was measured: minikafka, machine (a floor), or kafka."),
  CLIENT("api (the Java client), raw (encoded before, plain socket) or nio (the floor)."),
  VARIANT(
      "What sets this row apart from its peer, which is measured in alternation with it; of process:"
          + " JAVA_OPTS of the broker."),
  RECORD_BYTES("Bytes of a record's value; records have no key."),
  BATCH_RECORDS("Records in a batch."),
  FRAME_BYTES("Bytes of the frame that carries a batch, or of the floor's frame."),
  FETCH_BYTES("Bytes that one fetch asks for."),
  PRODUCERS("Producers, each with a connection of its own."),
  PARTITIONS("Partitions the producers write to: one each, or one for all."),
  CONSUMERS("Consumers, each with a connection and a partition of its own."),
  GROUP("Whether the consumers are members of one group (1) or have partitions by hand (0)."),
  IDLE_CONNECTIONS("Connections that say nothing while this is measured."),
  IN_FLIGHT("Batches of a producer that are sent and not yet answered, at most."),
  RATE_PER_S("Records that the schedule sends in a second; empty: as many as go."),
  FLUSH_POLICY("The topic's flush policy."),
  DURABILITY("What the acknowledgements said was reached: written or flushed."),
  REPS("Repetitions."),
  RECORDS("Records of all repetitions; frames of a floor."),
  RECORDS_PER_S("Records in a second, median of the repetitions; frames of a floor."),
  RECORDS_PER_S_MIN("Of the slowest repetition."),
  RECORDS_PER_S_MAX("Of the fastest."),
  MB_PER_S("Bytes of values in a second, in 1,000,000; median. Of a floor: bytes of frames."),
  MB_PER_S_MIN("Of the slowest repetition."),
  MB_PER_S_MAX("Of the fastest."),
  WIRE_MB_PER_S("Bytes of frames in a second, in 1,000,000; median."),
  SCHEDULED_P50_US("From when a record was to be sent to when the consumer had it, µs."),
  SCHEDULED_P90_US("The same, 90 % of records."),
  SCHEDULED_P99_US("The same, 99 %."),
  SCHEDULED_P99_9_US("The same, 99.9 %."),
  SCHEDULED_P99_99_US("The same, 99.99 %."),
  SCHEDULED_MAX_US("The same, the slowest."),
  SENT_P50_US("From when a record was in fact sent to when the consumer had it, µs."),
  SENT_P90_US("The same, 90 % of records."),
  SENT_P99_US("The same, 99 %."),
  SENT_P99_9_US("The same, 99.9 %."),
  SENT_P99_99_US("The same, 99.99 %."),
  SENT_MAX_US("The same, the slowest."),
  ACK_P50_US(
      "From when a record was in fact sent to its acknowledgement, µs; of a floor: one turn."),
  ACK_P90_US("The same, 90 % of records."),
  ACK_P99_US("The same, 99 %."),
  ACK_P99_9_US("The same, 99.9 %."),
  ACK_P99_99_US("The same, 99.99 %."),
  ACK_MAX_US("The same, the slowest."),
  CLIENT_CPU_US("CPU time of the client's process for a record, µs."),
  BROKER_CPU_US("CPU time of the broker's process for a record, µs."),
  CLIENT_ALLOCATED_BYTES("Heap the client's process allocated for a record, bytes."),
  BROKER_ALLOCATED_BYTES("Heap the broker's process allocated for a record, bytes."),
  BROKER_CPU_MS_PER_S("CPU time of the broker's process in a second, ms, median; parked only."),
  BROKER_RSS_MB(
      "Resident memory of the broker's process, in 1,000,000 bytes: at the end (process), when it was"
          + " ready (start, median)."),
  BROKER_PEAK_RSS_MB("The most it ever had until then; process and idle only."),
  KIB_PER_CONNECTION(
      "Resident memory of the broker for each idle connection, in 1,024 bytes; idle only."),
  READY_MS("From the broker's launch until it was ready, ms; start (median) and process only."),
  READY_MS_MIN("Of the fastest start."),
  READY_CPU_MS("CPU time of the broker's process by then, ms, median; start only."),
  READ_MB_PER_S("What the reader of old data read in a second, in 1,000,000 bytes; tail only."),
  DISK_MB_PER_S("What the broker got from the disk meanwhile; tail only."),
  PEER_RATIO("This row to its peer's: rates, the p50 of latencies, or the time until ready."),
  PEER_P99_RATIO("The same of the p99; latencies only."),
  FLOOR("What the machine does at best with the same frames, measured in the same run."),
  FLOOR_RATIO("This row to the floor: rates, or the p50 of latencies from the schedule."),
  FLOOR_P99_RATIO("The same of the p99; latencies only."),
  KAFKA_RATIO(
      "This row to the same of Apache Kafka, in the same run: rates, or the p50 of latencies."),
  KAFKA_P99_RATIO("The same of the p99; latencies only."),
  NOTE("What else must be known of this row."),
  LOAD1("Load average of the last minute, when the row was written."),
  CORES("Processors the client may use."),
  EFFORT(
      "Repetitions, and their longest time; the time of warm-up and of a latency. A point says itself"
          + " where it has others."),
  REVISION("What was measured: revision of the sources, with -dirty if they were changed."),
  JDK("The Java of the client, and of a broker it started itself."),
  KERNEL("Operating system.");

  private final String meaning;

  Column(String meaning) {
    this.meaning = meaning;
  }

  /** As it stands in the head of a CSV file and in JSON. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  String meaning() {
    return meaning;
  }

  static Optional<Column> of(String title) {
    return Arrays.stream(values()).filter(column -> column.title().equals(title)).findFirst();
  }
}
