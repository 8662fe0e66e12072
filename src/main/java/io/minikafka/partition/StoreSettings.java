package io.minikafka.partition;

/**
 * What a topic's settings mean to a store.
 *
 * @param segmentBytes a segment is rolled before it would grow beyond this; a batch is never split,
 *     so one larger batch fills a segment of its own
 * @param segmentMs an active segment is rolled when its first batch is older than this, also when
 *     nothing is appended; {@code Long.MAX_VALUE} for never
 * @param indexIntervalBytes an index entry at the first entry boundary after so many bytes
 * @param retentionBytes the oldest segments go while what remains is at least this; −1 for no bound
 * @param retentionMs segments go when their newest batch was appended longer ago; −1 for no bound
 * @param flushPolicy see {@link FlushPolicy}
 * @param flushIntervalMs for {@link FlushPolicy#INTERVAL}
 * @param cleanup what becomes of old records
 */
public record StoreSettings(
    int segmentBytes,
    long segmentMs,
    int indexIntervalBytes,
    long retentionBytes,
    long retentionMs,
    FlushPolicy flushPolicy,
    long flushIntervalMs,
    Cleanup cleanup) {

  /** With the usual {@link Cleanup#DEFAULT}. */
  public StoreSettings(
      int segmentBytes,
      long segmentMs,
      int indexIntervalBytes,
      long retentionBytes,
      long retentionMs,
      FlushPolicy flushPolicy,
      long flushIntervalMs) {
    this(
        segmentBytes,
        segmentMs,
        indexIntervalBytes,
        retentionBytes,
        retentionMs,
        flushPolicy,
        flushIntervalMs,
        Cleanup.DEFAULT);
  }

  public StoreSettings withCleanup(Cleanup changed) {
    return new StoreSettings(
        segmentBytes,
        segmentMs,
        indexIntervalBytes,
        retentionBytes,
        retentionMs,
        flushPolicy,
        flushIntervalMs,
        changed);
  }
}
