package io.minikafka.log;

import io.minikafka.partition.StampedBatch;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One append, which may roll segments on its way: first the files it needs are made, then all is
 * written, then all is published at once, or else everything is taken back. Nobody sees it before
 * it is published.
 *
 * <p>By the holder of the writer's lock; used once.
 */
final class AppendAttempt {
  private final OpenLog log;
  private final LogWriter writer;
  private final LogState before;
  private final List<StampedBatch> batches;

  /** The stretches of {@link #batches} that go into one segment each. */
  private final List<Run> runs = new ArrayList<>(1);

  private final List<ActiveSegment> made = new ArrayList<>(1);
  private boolean wrote;

  /** Batches {@code from} … {@code to} − 1 into {@code segment} at {@code position}. */
  private record Run(ActiveSegment segment, int position, int from, int to, int endPosition) {}

  AppendAttempt(OpenLog log, LogWriter writer, LogState before, List<StampedBatch> batches) {
    this.log = log;
    this.writer = writer;
    this.before = before;
    this.batches = batches;
  }

  void write() throws IOException {
    plan();
    long stamp = log.context().reserve().beginAppend();
    try {
      for (Run run : runs) {
        wrote |= run.to > run.from;
        log.context()
            .batchWriter()
            .write(run.segment.out(), batches, run.from, run.to, run.position);
      }
    } finally {
      log.context().reserve().endAppend(stamp);
    }
  }

  private void plan() throws IOException {
    ActiveSegment segment = before.content().active();
    int position = before.content().endPosition();
    int runPosition = position;
    int from = 0;
    for (int i = 0; i < batches.size(); i++) {
      StampedBatch batch = batches.get(i);
      if (segment == null || writer.mustRoll(segment, position, batch)) {
        if (segment != null) {
          // Empty if the active segment takes nothing more: it is sealed all the same.
          runs.add(new Run(segment, runPosition, from, i, position));
        }
        segment = writer.newSegment(batch.baseOffset());
        made.add(segment);
        position = 0;
        runPosition = 0;
        from = i;
      }
      position += batch.bytes();
    }
    if (segment != null) {
      runs.add(new Run(segment, runPosition, from, batches.size(), position));
    }
  }

  /**
   * @return the segments that were sealed, oldest first
   */
  List<SealedSegment> publish() {
    List<SealedSegment> sealed = new ArrayList<>(made.size());
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      int position = run.position;
      for (int b = run.from; b < run.to; b++) {
        run.segment.accept(batches.get(b), position);
        position += batches.get(b).bytes();
      }
      if (i + 1 < runs.size()) {
        ActiveSegment next = runs.get(i + 1).segment;
        sealed.add(run.segment.seal(next.baseOffset(), run.endPosition, log.indexFiles()));
      }
    }
    Run last = runs.getLast();
    StampedBatch newest = batches.getLast();
    int crc = Entry.crc(newest.buffer(), newest.markerAt());
    log.update(
        now ->
            now.withContent(
                now.content()
                    .extended(
                        sealed,
                        last.segment,
                        last.endPosition,
                        newest.nextOffset(),
                        crc,
                        newest.appendTime())));
    return sealed;
  }

  /**
   * Takes back what was made and written, so that no crash can bring it back either. What was
   * refused may have reached the disk, so the log goes on in a new epoch: old bytes that reappear
   * behind the end are then known to be stale.
   */
  void undo() {
    try {
      boolean cut = cutActive();
      for (ActiveSegment segment : made) {
        segment.file().retire();
        log.disk().delete(LogFiles.log(log.directory(), segment.baseOffset()));
        log.namesChanged();
        cut |= wrote;
      }
      if (cut) {
        log.update(now -> now.withEpoch(new LogState.Epoch(now.epoch().number() + 1, now.end())));
        force();
      }
    } catch (IOException e) {
      log.goOffline("what a failed append left could not be removed: " + e.getMessage());
    }
  }

  private boolean cutActive() throws IOException {
    ActiveSegment active = before.content().active();
    int end = before.content().endPosition();
    if (active == null || active.out().size() <= end) {
      return false;
    }
    active.out().truncate(end);
    return true;
  }

  private void force() {
    try {
      if (!made.isEmpty()) {
        log.disk().forceDirectory(log.directory());
      }
      ActiveSegment active = before.content().active();
      if (active != null) {
        active.out().force();
      }
    } catch (IOException e) {
      log.context().committer().fail(log.id().toString(), e);
    }
  }
}
