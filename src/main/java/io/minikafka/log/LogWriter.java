package io.minikafka.log;

import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves the end of a log: appends, and rolls by age. Whoever writes holds the lock; as the
 * partition has one appender at a time, only a roll by age can ever be waited for, and {@link
 * #mayBlock} says so.
 */
final class LogWriter {
  private final OpenLog log;
  private final SpareSegment spare;
  private final ReentrantLock lock;

  LogWriter(OpenLog log) {
    this.log = log;
    this.spare = new SpareSegment(log);
    this.lock = log.appendLock();
  }

  /** See {@link io.minikafka.partition.PartitionStore#appendMayBlock}. */
  boolean mayBlock(int bytes) {
    LogState now = log.state();
    ActiveSegment active = now.content().active();
    if (active == null || !log.mayWriteInEpoch() || lock.isLocked()) {
      return true;
    }
    int segmentBytes = log.settings().segmentBytes();
    int position = now.content().endPosition();
    boolean rolls =
        position > 0
            && ((long) position + bytes > segmentBytes
                || isAged(active, log.context().wallClock().millis()));
    // More than one segment needs more than one spare.
    return rolls && !(spare.isReady() && bytes <= segmentBytes);
  }

  /**
   * @return the segments that were sealed by it
   */
  List<SealedSegment> append(List<StampedBatch> batches) throws IOException {
    lock.lock();
    try {
      LogState before = log.state();
      if (log.isClosed()) {
        throw new StoreOfflineException("the log is closed");
      }
      if (before.isOffline()) {
        throw new StoreOfflineException(before.offline());
      }
      if (batches.getFirst().baseOffset() != before.end()) {
        throw new IllegalArgumentException(
            "batch at offset %d, the log ends at %d"
                .formatted(batches.getFirst().baseOffset(), before.end()));
      }
      makeEpochDurable();
      AppendAttempt attempt = new AppendAttempt(log, this, before, batches);
      try {
        attempt.write();
      } catch (IOException e) {
        attempt.undo();
        throw explained(e);
      }
      List<SealedSegment> sealed = attempt.publish();
      makeSpareInTime();
      return sealed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Rolls the active segment if its first batch is older than {@code segment.ms}; blocks.
   *
   * @return what was sealed
   */
  List<SealedSegment> rollAged(long nowMs) throws IOException {
    ActiveSegment seen = log.state().content().active();
    if (seen == null || !isAged(seen, nowMs) || log.state().isOffline()) {
      return List.of();
    }
    spare.make();
    lock.lock();
    try {
      LogState before = log.state();
      if (before.content().active() != seen || log.isClosed()) {
        return List.of();
      }
      makeEpochDurable();
      long end = before.end();
      ActiveSegment next = newSegment(end);
      SealedSegment sealed = seen.seal(end, before.content().endPosition(), log.indexFiles());
      log.update(now -> now.withContent(now.content().rolled(sealed, next)));
      return List.of(sealed);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Rolls if everything in the active segment lies below the log start, so that its bytes can be
   * given back; blocks.
   *
   * @return whether there was something to give back
   */
  boolean rollEmptied() throws IOException {
    if (!isEmptied(log.state())) {
      return false;
    }
    spare.make();
    lock.lock();
    try {
      LogState before = log.state();
      ActiveSegment seen = before.content().active();
      if (seen == null || !isEmptied(before) || log.isClosed()) {
        return false;
      }
      makeEpochDurable();
      long end = before.end();
      ActiveSegment next = newSegment(end);
      SealedSegment sealed = seen.seal(end, before.content().endPosition(), log.indexFiles());
      // All of it is durable, and nobody is forcing it any more.
      sealed.forced();
      log.update(now -> now.withContent(now.content().rolled(sealed, next)));
      log.context().observer().onRoll(log.id(), end);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the active segment, whatever is in it; blocks.
   *
   * @return what was sealed; empty if it is not that one any more, or the log takes no appends
   */
  Optional<SealedSegment> seal(Segment seen) throws IOException {
    spare.make();
    lock.lock();
    try {
      LogState before = log.state();
      if (before.content().active() != seen
          || before.content().endPosition() == 0
          || before.isOffline()
          || log.isClosed()) {
        return Optional.empty();
      }
      makeEpochDurable();
      long end = before.end();
      ActiveSegment next = newSegment(end);
      SealedSegment sealed =
          ((ActiveSegment) seen).seal(end, before.content().endPosition(), log.indexFiles());
      log.update(now -> now.withContent(now.content().rolled(sealed, next)));
      log.context().observer().onRoll(log.id(), end);
      return Optional.of(sealed);
    } finally {
      lock.unlock();
    }
  }

  private static boolean isEmptied(LogState now) {
    return now.start() == now.end()
        && now.durable() == now.end()
        && now.content().endPosition() > 0
        && !now.isOffline();
  }

  /** Runs the last thing that is done to the files, when no append or roll is under way. */
  long lastly(LastWork work) throws IOException {
    lock.lock();
    try {
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  /** See {@link #lastly}. */
  interface LastWork {
    long run() throws IOException;
  }

  /** Makes the file of a new segment; by the holder of the lock. */
  ActiveSegment newSegment(long baseOffset) throws IOException {
    Path file = LogFiles.log(log.directory(), baseOffset);
    if (log.state().content().active() == null) {
      makeDirectory();
    }
    DiskFile out = spare.take(file);
    return log.active(
        baseOffset, out, new SegmentIndexes(baseOffset, log.settings().indexIntervalBytes()));
  }

  /**
   * The names are forced even if they are there: whoever made them, for this partition or another
   * of the topic, may have failed before it came to that.
   */
  private void makeDirectory() throws IOException {
    LogContext context = log.context();
    Path topic = LogFiles.topic(context.data(), log.id().topicId());
    String what = log.id().toString();
    context.createDirectories(log.directory(), what);
    context.forceDirectory(topic, what);
    context.forceDirectory(context.data(), what);
  }

  /**
   * Whether a batch must begin a new segment.
   *
   * @param position where it would stand in {@code active}
   */
  boolean mustRoll(ActiveSegment active, int position, StampedBatch batch) {
    return position > 0
        && ((long) position + batch.bytes() > log.settings().segmentBytes()
            || batch.nextOffset() - active.baseOffset() > Integer.MAX_VALUE
            || isAged(active, batch.appendTime()));
  }

  private boolean isAged(ActiveSegment active, long nowMs) {
    long first = active.firstAppendTime();
    return first != Long.MIN_VALUE && nowMs - first >= log.settings().segmentMs();
  }

  /** Nothing may be written in an epoch that a crash could forget. */
  private void makeEpochDurable() throws IOException {
    if (!log.mayWriteInEpoch()) {
      log.willBeWritten();
      try {
        log.context().checkpoints().write();
      } catch (DiskFullException e) {
        throw explained(e);
      }
    }
  }

  private void makeSpareInTime() {
    if (log.state().content().endPosition() > log.settings().segmentBytes() / 2) {
      spare.makeSoon();
    }
  }

  private static IOException explained(IOException e) {
    return e instanceof DiskFullException
        ? new NoRoomException(String.valueOf(e.getMessage()), e)
        : e;
  }
}
