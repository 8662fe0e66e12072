package io.minikafka.log;

import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves the start of a log: for retention and for DeleteRecords. In three steps, so that a crash
 * can lose none of what readers were promised: the new start is announced to the checkpoint, the
 * checkpoint is forced, and only then is the start published and are files removed, oldest first.
 *
 * <p>Any thread; one trim at a time, the next waits.
 */
final class LogTrimmer {
  private final OpenLog log;
  private final ReentrantLock lock = new ReentrantLock();

  LogTrimmer(OpenLog log) {
    this.log = log;
  }

  /** See {@link io.minikafka.partition.PartitionStore#trimTo}. */
  void trimTo(long offset) throws IOException {
    lock.lock();
    try {
      LogState now = log.state();
      if (offset > now.durable()) {
        throw new IllegalArgumentException(
            "offset %d is above the durable offset %d".formatted(offset, now.durable()));
      }
      if (offset > now.start()) {
        log.startWillBe(offset);
        log.context().checkpoints().write();
      }
      apply();
    } finally {
      lock.unlock();
    }
  }

  /**
   * First half of retention: finds out what may go and announces it.
   *
   * @return whether there is anything to be done once a checkpoint has been forced
   */
  boolean announce(long nowMs) throws IOException {
    LogState now = log.state();
    if (log.isClosed() || now.isOffline()) {
      return false;
    }
    long start = retainedFrom(now, nowMs);
    if (start > log.startToCome()) {
      log.startWillBe(start);
    }
    List<SealedSegment> sealed = now.content().sealed();
    return log.startToCome() > now.start()
        || (!sealed.isEmpty() && sealed.getFirst().nextOffset() <= now.start());
  }

  /** Second half: the checkpoint with the announced start was forced. */
  void apply() throws IOException {
    lock.lock();
    try {
      long start = log.startToCome();
      LogState before = log.state();
      List<SealedSegment> gone =
          before.content().sealed().stream().filter(s -> s.nextOffset() <= start).toList();
      log.update(
          now -> {
            List<SealedSegment> kept = new ArrayList<>(now.content().sealed());
            kept.removeAll(gone);
            return now.withStart(start, now.content().withSealed(List.copyOf(kept)));
          });
      if (start > before.start()) {
        log.listener().onStart(start);
        log.context()
            .observer()
            .onTrim(log.id(), start, gone.stream().mapToLong(SealedSegment::bytes).sum());
      }
      for (SealedSegment segment : gone) {
        log.context().openSegments().forget(segment);
        log.namesChange();
        segment.delete();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where the log may begin: after the oldest sealed segments that are more than is to be kept, or
   * older. Only durable ones, never the active one.
   */
  private long retainedFrom(LogState now, long nowMs) throws IOException {
    StoreSettings settings = log.settings();
    long bytes = now.content().bytes();
    long start = now.start();
    for (SealedSegment segment : now.content().sealed()) {
      boolean tooMuch =
          settings.retentionBytes() >= 0 && bytes - segment.bytes() >= settings.retentionBytes();
      boolean mayGo = segment.isForced() && segment.nextOffset() <= now.durable();
      if (!mayGo || !(tooMuch || isExpired(segment, nowMs))) {
        break;
      }
      bytes -= segment.bytes();
      start = Math.max(start, segment.nextOffset());
    }
    return start;
  }

  private boolean isExpired(SealedSegment segment, long nowMs) throws IOException {
    long retentionMs = log.settings().retentionMs();
    return retentionMs >= 0 && nowMs - segment.lastAppendTime() > retentionMs;
  }
}
