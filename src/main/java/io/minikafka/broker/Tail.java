package io.minikafka.broker;

/**
 * How somebody looks at the records of a partition.
 *
 * @param follow whether to wait for more at the end
 * @param maxRecords it ends after so many
 * @param recordsPerSecond at most; a gap counts as one
 */
public record Tail(TailStart start, boolean follow, int maxRecords, int recordsPerSecond) {
  /** Most records. */
  public static final int MAX_RECORDS = 1_000_000;

  /** Most records in a second. */
  public static final int MAX_RATE = 10_000;

  /** Records in a second when the caller does not say. */
  public static final int DEFAULT_RATE = 1_000;
}
