package io.minikafka.log;

import io.minikafka.partition.DeletionOutlook;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Moves the start of a log: for retention and for DeleteRecords. In three steps, so that a crash
 * can lose none of what readers were promised: the new start is announced to the checkpoint, the
 * checkpoint is forced, and only then is the start published and are files removed, oldest first.
 *
 * <p>Any thread; one trim at a time, the next waits, also for a compacted segment that is being put
 * in its place.
 */
final class LogTrimmer {
  private final OpenLog log;

  LogTrimmer(OpenLog log) {
    this.log = log;
  }

  /** See {@link io.minikafka.partition.PartitionStore#trimTo}. */
  void trimTo(long offset) throws IOException {
    LogState now = log.state();
    if (now.isOffline()) {
      throw new StoreOfflineException(now.offline());
    }
    if (offset > now.durable()) {
      throw new IllegalArgumentException(
          "offset %d is above the durable offset %d".formatted(offset, now.durable()));
    }
    if (offset > now.start()) {
      announceStart(offset);
      log.context().checkpoints().write();
    }
    apply();
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
    announceStart(retainedFrom(now, nowMs));
    List<SealedSegment> sealed = now.content().sealed();
    return log.startToCome() > now.start()
        || (!sealed.isEmpty() && sealed.getFirst().nextOffset() <= now.start());
  }

  /** Whether the oldest segment is more than is to be kept: looked at after each append. */
  boolean isDue() {
    long retentionBytes = log.settings().retentionBytes();
    LogState.Content content = log.state().content();
    if (retentionBytes < 0 || content.sealed().isEmpty() || !log.settings().cleanup().deletes()) {
      return false;
    }
    SealedSegment oldest = content.sealed().getFirst();
    return oldest.isForced() && content.bytes() - oldest.bytes() >= retentionBytes;
  }

  private void announceStart(long start) {
    log.segmentsLock().lock();
    try {
      log.startWillBe(start);
    } finally {
      log.segmentsLock().unlock();
    }
  }

  /** Second half: publishes the start that a forced checkpoint holds, and removes files. */
  void apply() throws IOException {
    long before;
    long start;
    long bytes;
    log.segmentsLock().lock();
    try {
      before = log.state().start();
      start = Math.max(before, log.durableStart());
      bytes = removeBelow(start);
    } finally {
      log.segmentsLock().unlock();
    }
    if (start > before) {
      log.listener().onStart(start);
      log.context().observer().onTrim(log.id(), start, bytes);
    }
  }

  /**
   * @return bytes that were given up
   */
  private long removeBelow(long start) throws IOException {
    List<SealedSegment> gone =
        log.state().content().sealed().stream().filter(s -> s.nextOffset() <= start).toList();
    if (!gone.isEmpty()) {
      // The name of what stays must not be lost when those of what goes may not be yet: the oldest
      // segment would then be the newest, and end where nobody expects it.
      log.context().forceDirectory(log.directory(), log.id().toString());
    }
    log.update(
        now -> {
          List<SealedSegment> kept =
              now.content().sealed().stream().filter(s -> s.nextOffset() > start).toList();
          return now.withStart(start, now.content().withSealed(kept));
        });
    long bytes = 0;
    for (SealedSegment segment : gone) {
      log.context().openSegments().forget(segment);
      segment.delete();
      bytes += segment.bytes();
    }
    return bytes;
  }

  /**
   * Where the log may begin: after the oldest sealed segments that are more than is to be kept, or
   * older. Only durable ones, never the active one.
   */
  private long retainedFrom(LogState now, long nowMs) throws IOException {
    StoreSettings settings = log.settings();
    long bytes = now.content().bytes();
    long start = now.start();
    if (!settings.cleanup().deletes()) {
      return start;
    }
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
    if (retentionMs < 0) {
      return false;
    }
    long last = segment.lastAppendTime();
    return last == SealedSegment.NO_BATCH || nowMs - last > retentionMs;
  }

  /** See {@link io.minikafka.partition.PartitionStore#deletionOutlook}; may block. */
  DeletionOutlook outlook(long offset) throws IOException {
    StoreSettings settings = log.settings();
    LogState now = log.state();
    int ordinal = now.ordinalOf(offset);
    if (ordinal < 0 || now.isOffline() || !settings.cleanup().deletes()) {
      return DeletionOutlook.NONE;
    }
    return new DeletionOutlook(
        settings.retentionMs() < 0 ? OptionalLong.empty() : expiry(now, ordinal, settings),
        settings.retentionBytes() < 0
            ? OptionalLong.empty()
            : OptionalLong.of(bytesLeft(now, ordinal, settings.retentionBytes())));
  }

  /** When the segment has expired, as far as can be told; it goes with those before it. */
  private static OptionalLong expiry(LogState now, int ordinal, StoreSettings settings)
      throws IOException {
    for (int i = 0; i < ordinal; i++) {
      // A damaged segment of unknown age is kept, and so is all behind it.
      if (now.content().sealed().get(i).lastAppendTime() == SealedSegment.TIME_NOT_KNOWN) {
        return OptionalLong.empty();
      }
    }
    return switch (now.view(ordinal).segment()) {
      case SealedSegment sealed -> {
        long last = sealed.lastAppendTime();
        yield last == SealedSegment.TIME_NOT_KNOWN
            ? OptionalLong.empty()
            : OptionalLong.of(expiry(last, settings));
      }
      // It is rolled by age first, unless it is full before.
      case ActiveSegment active ->
          settings.segmentMs() == Long.MAX_VALUE
              ? OptionalLong.empty()
              : OptionalLong.of(
                  Math.max(
                      expiry(now.content().lastAppendTime(), settings),
                      plus(active.firstAppendTime(), settings.segmentMs())));
    };
  }

  /** The first moment at which {@link #isExpired} says so. */
  private static long expiry(long lastAppendTime, StoreSettings settings) {
    return plus(plus(lastAppendTime, settings.retentionMs()), 1);
  }

  /** The end of time if it lies beyond that. */
  private static long plus(long time, long ms) {
    long sum = time + ms;
    return ms > 0 && sum < time ? Long.MAX_VALUE : sum;
  }

  /** What remains behind the segment must reach the bound before it goes. */
  private static long bytesLeft(LogState now, int ordinal, long retentionBytes) {
    long behind = 0;
    for (int i = ordinal + 1; i < now.viewCount(); i++) {
      behind += now.view(i).bytes();
    }
    return Math.max(0, retentionBytes - behind);
  }
}
