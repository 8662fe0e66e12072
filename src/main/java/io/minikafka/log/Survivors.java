package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.RecordView;

/**
 * What compaction keeps; the one place that says so. Of each key the newest record; of tombstones
 * also those that wait for readers; and whatever it cannot judge: what is newer than the keys it
 * knows, records without a key, entries that are no records.
 *
 * <p>One thread, for one pass over a log.
 */
final class Survivors {
  private final NewestOffsets newest;
  private final KeyDigest digest = new KeyDigest();
  private final CompactionHistory history;
  private final long start;
  private final long mappedTo;
  private final long intactTo;
  private final long nowMs;
  private final long deleteRetentionMs;

  /** Tombstones that stay, by the run of the history that saw them first. */
  private final long[] tombstones;

  /**
   * @param newest of all keys with a record from the history's {@code cleanTo} to {@code mappedTo}
   * @param start log start offset; nobody can read below it
   * @param intactTo below it no segment was left as it was: a tombstone above may still be needed
   *     to hide an older record there
   */
  Survivors(
      NewestOffsets newest,
      CompactionHistory history,
      long start,
      long mappedTo,
      long intactTo,
      long nowMs,
      long deleteRetentionMs) {
    this.newest = newest;
    this.history = history;
    this.start = start;
    this.mappedTo = mappedTo;
    this.intactTo = intactTo;
    this.nowMs = nowMs;
    this.deleteRetentionMs = deleteRetentionMs;
    this.tombstones = new long[history.runs().size() + 1];
  }

  /** Whether a record stays. */
  boolean keeps(RecordView view) {
    long offset = view.offset();
    if (offset < start) {
      return false;
    }
    if (offset >= mappedTo || !digest.take(view)) {
      return true;
    }
    if (newest.newest(digest) > offset) {
      return false;
    }
    if (!view.isTombstone()) {
      return true;
    }
    if (offset >= intactTo) {
      return true;
    }
    if (history.mayGo(offset, nowMs, deleteRetentionMs)) {
      return false;
    }
    tombstones[history.ordinalOf(offset)]++;
    return true;
  }

  /**
   * Whether the marker of a batch without records stays, because it tells what a producer with a
   * sequence has sent last. There are no such producers yet, so nobody would miss it.
   */
  static boolean keepsEmpty(BatchMarker marker) {
    return marker.producerId() != -1;
  }

  /** See {@link CompactionHistory#after}. */
  long[] tombstones() {
    return tombstones;
  }
}
