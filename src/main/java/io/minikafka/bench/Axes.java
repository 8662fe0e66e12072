package io.minikafka.bench;

import io.minikafka.record.Entry;
import java.util.List;

/**
 * Along what an experiment measures; each combination is a point. Immutable.
 *
 * @param recordBytes of values
 * @param groups whether several consumers are also measured as members of a group
 * @param ratesPerSecond of latencies
 */
public record Axes(
    List<ClientKind> clients,
    List<Integer> recordBytes,
    List<Integer> batchRecords,
    List<Integer> fetchBytes,
    List<Integer> inFlight,
    List<Integer> producers,
    List<Integer> consumers,
    boolean groups,
    List<Integer> ratesPerSecond,
    List<Policy> policies) {
  private static final int MAX_RECORD_BYTES = 10_000_000;
  private static final int MAX_BATCH_RECORDS = 1_000_000;
  private static final int MAX_FETCH_BYTES = 16 << 20;
  private static final int MAX_CLIENTS = 1_000;
  private static final int MAX_RATE_PER_S = 1_000_000;

  /** Of a batch of the Java client. */
  private static final int MAX_BATCH_BYTES = Entry.MAX_PAYLOAD_BYTES;

  /**
   * @throws IllegalArgumentException naming the option of the command line, and its bounds
   */
  public Axes {
    recordBytes.forEach(value -> check("--record-bytes", value, 1, MAX_RECORD_BYTES));
    batchRecords.forEach(value -> check("--batch", value, 1, MAX_BATCH_RECORDS));
    fetchBytes.forEach(value -> check("--fetch-bytes", value, 1024, MAX_FETCH_BYTES));
    inFlight.forEach(value -> check("--in-flight", value, 1, MAX_CLIENTS));
    producers.forEach(value -> check("--producers", value, 1, MAX_CLIENTS));
    consumers.forEach(value -> check("--consumers", value, 1, MAX_CLIENTS));
    ratesPerSecond.forEach(value -> check("--rate", value, 1, MAX_RATE_PER_S));
  }

  private static void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d, must be %d to %d".formatted(option, value, least, most));
    }
  }

  /** The same, but where {@code given} has values it has those. */
  public Axes or(Axes given) {
    return new Axes(
        or(given.clients, clients),
        or(given.recordBytes, recordBytes),
        or(given.batchRecords, batchRecords),
        or(given.fetchBytes, fetchBytes),
        or(given.inFlight, inFlight),
        or(given.producers, producers),
        or(given.consumers, consumers),
        groups || given.groups,
        or(given.ratesPerSecond, ratesPerSecond),
        or(given.policies, policies));
  }

  private static <T> List<T> or(List<T> given, List<T> otherwise) {
    return given.isEmpty() ? otherwise : List.copyOf(given);
  }

  /**
   * @throws IllegalArgumentException if no client sends such a batch
   */
  static void checkBatch(int batchRecords, int recordBytes) {
    long bytes = RecordValues.entryBytes(recordBytes) * batchRecords;
    if (bytes > MAX_BATCH_BYTES) {
      throw new IllegalArgumentException(
          "--batch %d of --record-bytes %d is %d bytes, must be at most %d"
              .formatted(batchRecords, recordBytes, bytes, MAX_BATCH_BYTES));
    }
  }
}
