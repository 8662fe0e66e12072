package io.minikafka.log;

import io.minikafka.record.BatchMarker;

/**
 * One step of a walk over a segment, in position order and without a hole: every byte belongs to
 * one of these.
 */
sealed interface Found {
  /** A batch that is whole and belongs here. */
  record Batch(BatchMarker marker, int position, int bytes, int markerCrc) implements Found {}

  /**
   * Offsets without records.
   *
   * @param lost whether a repair skipped damage there; else compaction emptied them
   */
  record Gap(long offset, int span, int position, int bytes, boolean lost) implements Found {}

  /**
   * The marker is right, what follows it is not: the bad bytes are just this batch.
   *
   * @param toPosition behind its last byte, or the end of the file if it goes beyond that
   */
  record BadBatch(BatchMarker marker, int position, int toPosition, String what) implements Found {}

  /**
   * No batch begins where one should.
   *
   * @param from the offset expected there
   * @param to the first offset behind that is good; {@link #UNKNOWN} if nothing good follows in the
   *     file
   * @param toPosition where that is, or the end of the file
   */
  record BadRange(long from, long to, int position, int toPosition, String what) implements Found {
    static final long UNKNOWN = -1;
  }

  /** A marker with a right checksum that a newer broker wrote; the walk cannot go on. */
  record NewerVersion(long offset, int position, int version) implements Found {}

  /** The walk is at the end of the file. */
  record End(long nextOffset) implements Found {}
}
