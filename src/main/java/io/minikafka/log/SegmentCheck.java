package io.minikafka.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A walk over one segment of an open log, from front to back, that notes what is damaged; in steps,
 * so that whoever walks can stop between two. One thread, one pass.
 *
 * <p><b>Errors.</b> An {@link IOException} is a read error, or a batch of a newer broker; the walk
 * cannot go on after it.
 */
final class SegmentCheck {
  private final SegmentScan scan;
  private final long baseOffset;
  private final long limitOffset;
  private final int bytes;

  // What was found so far.
  private final List<DamageRange> damage = new ArrayList<>();
  private final List<OffsetRange> lost = new ArrayList<>();
  private int position;
  private boolean endLost;
  private boolean done;
  private int lastMarkerCrc;
  private long lastAppendTime = Long.MIN_VALUE;

  /**
   * @param window turned to the segment's file, which shows all of the segment and nothing more
   * @param limitOffset where the segment must end
   * @param lastEpoch the highest epoch in the log before this segment, 0 if it is not known
   */
  SegmentCheck(
      Window window,
      LogRules rules,
      long baseOffset,
      long limitOffset,
      int lastEpoch,
      int indexIntervalBytes) {
    this.scan =
        new SegmentScan(window, rules, baseOffset, limitOffset, lastEpoch, indexIntervalBytes);
    this.baseOffset = baseOffset;
    this.limitOffset = limitOffset;
    this.bytes = window.size();
  }

  /** Goes over one batch, gap or bad place; over nothing once it is done. */
  void step() throws IOException {
    if (done) {
      return;
    }
    switch (scan.next()) {
      case Found.Batch batch -> {
        position = batch.position() + batch.bytes();
        lastMarkerCrc = batch.markerCrc();
        lastAppendTime = batch.marker().appendTime();
      }
      case Found.Gap gap -> {
        position = gap.position() + gap.bytes();
        if (gap.lost()) {
          lost.add(new OffsetRange(gap.offset(), gap.offset() + gap.span()));
        }
      }
      case Found.BadBatch bad -> {
        long from = bad.marker().baseOffset();
        position = bad.toPosition();
        add(from, from + bad.marker().span(), bad.position(), bad.what());
      }
      case Found.BadRange bad -> {
        endLost = bad.to() == Found.BadRange.UNKNOWN;
        position = bad.toPosition();
        add(bad.from(), endLost ? limitOffset : bad.to(), bad.position(), bad.what());
      }
      case Found.NewerVersion newer ->
          throw new IOException(
              "a batch of version %d stands at position %d"
                  .formatted(newer.version(), newer.position()));
      case Found.End end -> {
        if (!endLost && end.nextOffset() < limitOffset) {
          add(end.nextOffset(), limitOffset, bytes, "nothing up to the next segment's offset");
        }
        done = true;
      }
    }
  }

  private void add(long from, long to, int fromPosition, String what) {
    if (to > from) {
      damage.add(new DamageRange(from, to, baseOffset, fromPosition, position, what));
    }
  }

  /** All of it at once. */
  SegmentCheck run() throws IOException {
    while (!done) {
      step();
    }
    return this;
  }

  boolean isDone() {
    return done;
  }

  /** How far the walk has come. */
  int position() {
    return position;
  }

  /** In offset order, so far. */
  List<DamageRange> damage() {
    return damage;
  }

  /** What repairs have skipped, so far. */
  List<OffsetRange> lost() {
    return lost;
  }

  /** Of all whole batches, once it is done. */
  SegmentIndexes indexes() {
    return scan.indexes();
  }

  int lastEpoch() {
    return scan.lastEpoch();
  }

  /** Of the last whole batch; 0 if there is none. */
  int lastMarkerCrc() {
    return lastMarkerCrc;
  }

  /** Of the last whole batch, ms; {@code Long.MIN_VALUE} if there is none. */
  long lastAppendTime() {
    return lastAppendTime;
  }
}
