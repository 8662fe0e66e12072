package io.minikafka.log;

import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.BatchMarker;
import io.minikafka.storage.DiskFile;
import java.io.IOException;

/**
 * Walks the batches of one segment from an entry of its time index on. Damaged ranges are passed
 * over. One thread, used once; holds a lease until it is closed.
 */
final class TimeScan implements AutoCloseable {
  private final OpenLog log;
  private final LogState state;
  private final LogState.View view;
  private final TimeIndex times;
  private final int entry;
  private final EntryCursor cursor;
  private final RangeFinder finder;

  /**
   * @param entry ordinal of the time index entry to begin at; −1 for the begin of the segment
   */
  TimeScan(OpenLog log, LogState state, LogState.View view, TimeIndex times, int entry)
      throws IOException {
    this.log = log;
    this.state = state;
    this.view = view;
    this.times = times;
    this.entry = entry;
    Segment segment = view.segment();
    DiskFile file = segment.file().lease();
    this.finder = new RangeFinder(view, state.damage(), file);
    this.cursor = finder.cursor();
  }

  @Override
  public void close() {
    view.segment().file().unlease();
  }

  /** The first record at or above the log start that is not older than {@code timestamp}. */
  TimeLookup first(long timestamp, long limitOffset) throws IOException {
    try {
      begin();
      while (nextEntry()) {
        if (cursor.offset() >= limitOffset) {
          return TimeLookup.NONE;
        }
        if (cursor.isMarker()) {
          BatchMarker marker = marker();
          if (marker.maxTimestamp() < timestamp || endsBelowStart(marker)) {
            skipBatch(marker);
            continue;
          }
        } else if (!cursor.isGap()
            && cursor.timestamp() >= timestamp
            && cursor.offset() >= state.start()) {
          return new TimeLookup(cursor.offset(), cursor.timestamp());
        }
        cursor.advance();
      }
      return TimeLookup.NONE;
    } catch (BadEntryException e) {
      log.lookAgain(view);
      throw e;
    }
  }

  /**
   * When the first record at or behind {@code offset} was appended, whatever damage lies before it;
   * begun at or before its batch.
   */
  AppendTimeLookup appended(long offset, long limitOffset) throws IOException {
    try {
      begin();
      long appendTime = Long.MIN_VALUE;
      while (nextEntry() && cursor.offset() < limitOffset) {
        if (cursor.isMarker()) {
          BatchMarker marker = marker();
          appendTime = marker.appendTime();
          if (marker.baseOffset() + marker.span() <= offset) {
            skipBatch(marker);
            continue;
          }
        } else if (!cursor.isGap() && cursor.offset() >= offset) {
          return new AppendTimeLookup.Found(cursor.offset(), appendTime);
        }
        cursor.advance();
      }
      return new AppendTimeLookup.None();
    } catch (BadEntryException e) {
      log.lookAgain(view);
      throw e;
    }
  }

  /** The largest timestamp of the records at or above the log start. */
  long largest(long limitOffset) throws IOException {
    try {
      long largest = Long.MIN_VALUE;
      begin();
      while (nextEntry() && cursor.offset() < limitOffset) {
        if (cursor.isMarker()) {
          BatchMarker marker = marker();
          if (endsBelowStart(marker)) {
            skipBatch(marker);
            continue;
          }
          if (marker.baseOffset() >= state.start()) {
            largest = Math.max(largest, marker.maxTimestamp());
            skipBatch(marker);
            continue;
          }
        } else if (!cursor.isGap() && cursor.offset() >= state.start()) {
          largest = Math.max(largest, cursor.timestamp());
        }
        cursor.advance();
      }
      return largest;
    } catch (BadEntryException e) {
      log.lookAgain(view);
      throw e;
    }
  }

  private void begin() throws IOException {
    if (entry < 0) {
      cursor.seek(0, EntryCursor.CHUNK_BYTES);
      return;
    }
    long offset = times.offset(entry);
    cursor.seek(finder.seekTo(offset), EntryCursor.CHUNK_BYTES);
    boolean agrees = cursor.read() && cursor.isMarker() && cursor.offset() == offset;
    if (agrees) {
      BatchMarker marker = marker();
      agrees =
          marker.appendTime() == times.appendTime(entry)
              && marker.maxTimestamp() <= times.maxTimestamp(entry);
    }
    if (!agrees) {
      throw new BadEntryException(cursor.position(), "the time index names another batch");
    }
  }

  /** Looks at the entry at the cursor, or at the first behind the damage that begins there. */
  private boolean nextEntry() throws IOException {
    int position = cursor.position();
    for (DamageRange range : state.damage().in(view.segment().baseOffset())) {
      if (range.fromPosition() == position && range.toPosition() > position) {
        position = range.toPosition();
        cursor.seek(position, EntryCursor.CHUNK_BYTES);
      }
    }
    return cursor.read();
  }

  private BatchMarker marker() throws BadEntryException {
    if (cursor.checkMarker() != BatchMarker.Check.GOOD) {
      throw new BadEntryException(cursor.position(), "a broken batch marker");
    }
    return cursor.marker();
  }

  private boolean endsBelowStart(BatchMarker marker) {
    return marker.baseOffset() + marker.span() <= state.start();
  }

  private void skipBatch(BatchMarker marker) throws BadEntryException {
    long end = (long) cursor.endPosition() + marker.bytes();
    if (marker.bytes() < 0 || end > view.bytes()) {
      throw new BadEntryException(cursor.position(), "a batch goes beyond its segment");
    }
    cursor.seek((int) end, marker.bytes() > EntryCursor.CHUNK_BYTES ? 0 : EntryCursor.CHUNK_BYTES);
  }
}
