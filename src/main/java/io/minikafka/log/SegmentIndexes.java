package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.nio.ByteBuffer;

/**
 * Both indexes of one segment and the one rule of what goes into them, for appending, for recovery
 * and for rebuilding: an offset index pair at the first entry boundary once the interval was
 * written since the last one, also inside a batch (a marker and its first record count as one
 * entry); a time index entry for the first batch and then for the first batch once the interval was
 * written since the last one.
 *
 * <p>One thread adds, in log order; any thread looks up meanwhile.
 */
final class SegmentIndexes {
  private final OffsetIndex offsets;
  private final TimeIndex times;

  // Constant, or written only by the one who adds.
  private final int intervalBytes;
  private int lastIndexedPosition;
  private long lastIndexedOffset;
  private int lastTimedPosition;
  private long maxTimestamp = Long.MIN_VALUE;
  private long lastAppendTime = Long.MIN_VALUE;
  private long lastBatchOffset = -1;

  /** Where the first record of the last batch begins: it and its marker count as one entry. */
  private int behindMarker = -1;

  SegmentIndexes(long baseOffset, int intervalBytes) {
    this(new OffsetIndex(baseOffset), new TimeIndex(baseOffset), intervalBytes);
  }

  /** Over indexes that were loaded; nothing but markers and entries behind them may be added. */
  SegmentIndexes(OffsetIndex offsets, TimeIndex times, int intervalBytes) {
    this.offsets = offsets;
    this.times = times;
    this.intervalBytes = intervalBytes;
    // As if the segment's first entry had a pair.
    lastIndexedOffset = offsets.baseOffset();
    int last = offsets.count() - 1;
    if (last >= 0) {
      lastIndexedPosition = offsets.position(last);
      lastIndexedOffset = offsets.offset(last);
    }
    int lastTime = times.count() - 1;
    if (lastTime >= 0) {
      maxTimestamp = times.maxTimestamp(lastTime);
      lastAppendTime = times.appendTime(lastTime);
      lastBatchOffset = times.offset(lastTime);
      lastTimedPosition = lastIndexedPosition;
    }
  }

  OffsetIndex offsets() {
    return offsets;
  }

  TimeIndex times() {
    return times;
  }

  /** The largest record timestamp of the segment, ms; {@code Long.MIN_VALUE} if it is empty. */
  long maxTimestamp() {
    return maxTimestamp;
  }

  /** The append time of the first batch, ms; {@code Long.MIN_VALUE} if the segment is empty. */
  long firstAppendTime() {
    return times.count() == 0 ? Long.MIN_VALUE : times.appendTime(0);
  }

  /** The append time of the last batch, ms; {@code Long.MIN_VALUE} if the segment is empty. */
  long lastAppendTime() {
    return lastAppendTime;
  }

  int memoryBytes() {
    return offsets.memoryBytes() + times.memoryBytes();
  }

  /**
   * A whole batch lies in the segment.
   *
   * @param in little-endian, holds the batch
   * @param markerAt index of its marker in {@code in}
   * @param bytes marker and entries together
   * @param position of the marker in the segment
   */
  void addBatch(ByteBuffer in, int markerAt, int bytes, int position) {
    addMarker(
        in.getLong(markerAt + BatchMarker.BASE_OFFSET),
        position,
        in.getLong(markerAt + BatchMarker.MAX_TIMESTAMP),
        in.getLong(markerAt + BatchMarker.APPEND_TIME));
    int limit = markerAt + bytes;
    int at = markerAt + BatchMarker.BYTES;
    // Most small batches end before the next pair is due, and need not be walked.
    if (position + bytes - lastIndexedPosition <= intervalBytes) {
      return;
    }
    while (at < limit) {
      addEntry(Entry.offset(in, at), position + (at - markerAt));
      at += Entry.bytes(in, at);
    }
  }

  /**
   * A batch begins at {@code position}.
   *
   * @param offset its base offset
   * @param batchMaxTimestamp largest record timestamp in it, ms
   * @param appendTime ms
   */
  void addMarker(long offset, int position, long batchMaxTimestamp, long appendTime) {
    maxTimestamp = Math.max(maxTimestamp, batchMaxTimestamp);
    lastAppendTime = Math.max(lastAppendTime, appendTime);
    lastBatchOffset = offset;
    if (times.count() == 0 || position - lastTimedPosition >= intervalBytes) {
      times.add(maxTimestamp, lastAppendTime, offset);
      lastTimedPosition = position;
    }
    // Where only the first record would be due, the marker is taken: who reads from that record
    // gets its marker too, and finds it without stepping back.
    add(offset, position, position + BatchMarker.BYTES);
    behindMarker = position + BatchMarker.BYTES;
  }

  /** A state to come {@link #backTo}. */
  record Mark(
      int pairs,
      int times,
      int lastIndexedPosition,
      long lastIndexedOffset,
      int lastTimedPosition,
      long maxTimestamp,
      long lastAppendTime,
      long lastBatchOffset) {}

  Mark mark() {
    return new Mark(
        offsets.count(),
        times.count(),
        lastIndexedPosition,
        lastIndexedOffset,
        lastTimedPosition,
        maxTimestamp,
        lastAppendTime,
        lastBatchOffset);
  }

  /** Forgets what was added since: a batch that turned out bad. Only before anybody else looks. */
  void backTo(Mark mark) {
    offsets.backTo(mark.pairs);
    times.backTo(mark.times);
    lastIndexedPosition = mark.lastIndexedPosition;
    lastIndexedOffset = mark.lastIndexedOffset;
    lastTimedPosition = mark.lastTimedPosition;
    maxTimestamp = mark.maxTimestamp;
    lastAppendTime = mark.lastAppendTime;
    lastBatchOffset = mark.lastBatchOffset;
  }

  /** An entry other than a marker begins at {@code position}. */
  void addEntry(long offset, int position) {
    if (position == behindMarker) {
      return;
    }
    add(offset, position, position);
  }

  private void add(long offset, int position, int duePosition) {
    boolean due = duePosition - lastIndexedPosition >= intervalBytes && position > 0;
    if (due && offset > lastIndexedOffset) {
      offsets.add(offset, position);
      lastIndexedPosition = position;
      lastIndexedOffset = offset;
    }
  }

  /** Makes sure the last batch is in the time index, before that is written to its file. */
  void finishTimes() {
    int last = times.count() - 1;
    if (last >= 0 && times.offset(last) < lastBatchOffset) {
      times.add(maxTimestamp, lastAppendTime, lastBatchOffset);
    }
  }
}
