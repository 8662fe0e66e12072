package io.minikafka.log;

import io.minikafka.partition.Cleanup;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One compaction of one log, in steps of a segment or a group of them: first the newest offset of
 * each key in the part that was not seen yet is noted, as far as the memory goes; then all segments
 * up to there are rewritten without what is outdated; then that is written down. If the memory did
 * not reach, all of it is done again for the next part.
 *
 * <p><b>Life-cycle.</b> {@link #ifDue}, then {@link #step} until it says that nothing is left. May
 * be dropped between two steps: whatever was done stands for itself.
 *
 * <p><b>Limits.</b> Only sealed segments that are forced, below the durable offset, and older than
 * {@code min.compaction.lag.ms}. A damaged segment is left as it is. What retention or
 * DeleteRecords removes meanwhile is gone and no failure.
 *
 * <p>One step at a time, under the lock of {@link LogCompactor}.
 */
final class Compaction {
  /** What {@link #step} says when nothing is left. */
  static final long DONE = -1;

  // Constant.
  private final OpenLog log;
  private final Window window;
  private final long budgetBytes;
  private final Cleanup cleanup;

  // Of the present pass.
  private CompactionHistory history;
  private List<SealedSegment> segments;
  private NewestOffsets newest;
  private int mapped;
  private long mappedTo;
  private boolean full;
  private Optional<Survivors> survivors = Optional.empty();
  private List<List<SealedSegment>> groups = List.of();
  private int cleaned;

  // Of the whole.
  private long bytesBefore;
  private long bytesAfter;
  private long removedRecords;

  private Compaction(
      OpenLog log, CompactionHistory history, List<SealedSegment> segments, Window window) {
    this.log = log;
    this.window = window;
    this.budgetBytes = log.context().settings().compactionMemoryBytes();
    this.cleanup = log.settings().cleanup();
    this.history = history;
    this.segments = segments;
    this.newest = beginPass();
  }

  /** A compaction, if the log's settings want one and enough has come since the last. */
  static Optional<Compaction> ifDue(OpenLog log, CompactionHistory history, Window window)
      throws IOException {
    Cleanup cleanup = log.settings().cleanup();
    if (!cleanup.compacts() || log.isClosed() || log.state().isOffline()) {
      return Optional.empty();
    }
    long nowMs = log.context().wallClock().millis();
    List<SealedSegment> segments = cleanable(log, cleanup, nowMs);
    long dirty = 0;
    long all = 0;
    for (SealedSegment segment : segments) {
      all += segment.bytes();
      dirty += segment.nextOffset() > history.cleanTo() ? segment.bytes() : 0;
    }
    boolean due =
        (dirty > 0 && dirty >= cleanup.minDirtyRatio() * all)
            || (all > 0 && history.hasDue(nowMs, cleanup.deleteRetentionMs()));
    return due ? Optional.of(new Compaction(log, history, segments, window)) : Optional.empty();
  }

  /** From the oldest on, until one is not safe on disk or too young. */
  private static List<SealedSegment> cleanable(OpenLog log, Cleanup cleanup, long nowMs)
      throws IOException {
    LogState now = log.state();
    List<SealedSegment> found = new ArrayList<>();
    for (SealedSegment segment : now.content().sealed()) {
      boolean mayBe =
          segment.isForced()
              && segment.nextOffset() <= now.durable()
              && (cleanup.minLagMs() == 0 || !isYoung(segment, cleanup, nowMs));
      if (!mayBe) {
        break;
      }
      found.add(segment);
    }
    return found;
  }

  private static boolean isYoung(SealedSegment segment, Cleanup cleanup, long nowMs)
      throws IOException {
    long last = segment.lastAppendTime();
    // Of a damaged one nobody knows; it is not rewritten, and must not hold up those behind it.
    return last != SealedSegment.TIME_NOT_KNOWN && last > nowMs - cleanup.minLagMs();
  }

  long bytesBefore() {
    return bytesBefore;
  }

  long bytesAfter() {
    return bytesAfter;
  }

  long removedRecords() {
    return removedRecords;
  }

  /** As far as it has come. */
  CompactionHistory history() {
    return history;
  }

  private NewestOffsets beginPass() {
    long offsets = 0;
    for (SealedSegment segment : segments) {
      offsets += Math.max(0, segment.nextOffset() - Math.max(segment.baseOffset(), cleanTo()));
    }
    mapped = 0;
    mappedTo = cleanTo();
    full = false;
    survivors = Optional.empty();
    return new NewestOffsets(budgetBytes, offsets);
  }

  private long cleanTo() {
    return history.cleanTo();
  }

  /**
   * Does a little.
   *
   * @return bytes that were read and written, or {@link #DONE}
   */
  long step() throws IOException {
    if (log.isClosed() || log.state().isOffline()) {
      return DONE;
    }
    if (survivors.isEmpty()) {
      if (mapped < segments.size() && !full) {
        return map(segments.get(mapped++));
      }
      beginCleaning();
    }
    if (cleaned < groups.size()) {
      return clean(groups.get(cleaned++), survivors.get());
    }
    return endPass(survivors.get());
  }

  // Noting the newest offsets.

  private long map(SealedSegment segment) throws IOException {
    if (segment.nextOffset() <= cleanTo()) {
      return 0;
    }
    mappedTo = segment.nextOffset();
    if (isDamaged(segment)) {
      return 0;
    }
    try {
      List<DamageRange> damage = SegmentPass.run(window, log, segment, new Noting(cleanTo()));
      if (!damage.isEmpty()) {
        log.damage().add(damage);
      }
    } catch (NoSuchFileException e) {
      // Retention was faster.
      return 0;
    }
    return segment.bytes();
  }

  private final class Noting implements SegmentPass.Visitor {
    private final KeyDigest digest = new KeyDigest();
    private final long from;

    Noting(long from) {
      this.from = from;
    }

    @Override
    public boolean batch(BatchMarker marker, int position, int bytes) throws IOException {
      if (marker.baseOffset() + marker.span() <= from) {
        return true;
      }
      int to = position + bytes;
      for (int at = position + BatchMarker.BYTES; at < to; ) {
        int index = window.index(at, Entry.PLAIN_OVERHEAD_BYTES);
        index = window.index(at, Entry.bytes(window.buffer(), index));
        ByteBuffer in = window.buffer();
        if (!note(in, index)) {
          mappedTo = Entry.offset(in, index);
          full = true;
          return false;
        }
        at += Entry.bytes(in, index);
      }
      return true;
    }

    private boolean note(ByteBuffer in, int index) {
      int kind = Entry.kind(Entry.kword(in, index));
      long offset = Entry.offset(in, index);
      boolean isRecord = kind == Entry.PLAIN || kind == Entry.KIND_ATTRIBUTED;
      return !isRecord
          || offset < from
          || !digest.take(new RecordView(in, index))
          || newest.note(digest, offset);
    }

    @Override
    public void gap(Found.Gap gap) {}
  }

  // Rewriting.

  private void beginCleaning() {
    long intactTo = Long.MAX_VALUE;
    for (SealedSegment segment : segments) {
      if (isDamaged(segment)) {
        intactTo = Math.min(intactTo, segment.baseOffset());
      }
    }
    groups = grouped();
    cleaned = 0;
    survivors =
        Optional.of(
            new Survivors(
                newest,
                history,
                log.state().start(),
                mappedTo,
                intactTo,
                log.context().wallClock().millis(),
                cleanup.deleteRetentionMs()));
  }

  /** Neighbours that together are no larger than one segment may be. */
  private List<List<SealedSegment>> grouped() {
    List<List<SealedSegment>> all = new ArrayList<>();
    List<SealedSegment> group = new ArrayList<>();
    long bytes = 0;
    for (SealedSegment segment : segments) {
      if (segment.baseOffset() >= mappedTo) {
        break;
      }
      boolean damaged = isDamaged(segment);
      boolean fits =
          !group.isEmpty()
              && bytes + segment.bytes() <= log.settings().segmentBytes()
              && segment.nextOffset() - group.getFirst().baseOffset() <= Integer.MAX_VALUE;
      if (!group.isEmpty() && (damaged || !fits)) {
        all.add(group);
        group = new ArrayList<>();
        bytes = 0;
      }
      if (!damaged) {
        group.add(segment);
        bytes += segment.bytes();
      }
    }
    if (!group.isEmpty()) {
      all.add(group);
    }
    return all;
  }

  private boolean isDamaged(SealedSegment segment) {
    return !log.state().damage().in(segment.baseOffset()).isEmpty();
  }

  private long clean(List<SealedSegment> group, Survivors keeping) throws IOException {
    // Retention takes the oldest first.
    List<SealedSegment> left =
        group.stream().filter(log.state().content().sealed()::contains).toList();
    if (left.isEmpty()) {
      return 0;
    }
    long before = left.stream().mapToLong(SealedSegment::bytes).sum();
    SegmentReplacement replacement = new SegmentReplacement(log, left);
    try {
      return switch (new GroupCleaning(log, window, keeping, left, replacement.swap()).run()) {
        case GroupCleaning.Result.Unchanged unchanged -> {
          bytesBefore += before;
          bytesAfter += before;
          yield before;
        }
        case GroupCleaning.Result.Damaged damaged -> {
          log.damage().add(damaged.ranges());
          yield before;
        }
        case GroupCleaning.Result.Written written -> {
          if (replacement.putInPlace(written)) {
            bytesBefore += before;
            bytesAfter += written.bytes();
            removedRecords += written.removedRecords();
          }
          yield before + written.bytes();
        }
      };
    } catch (NoSuchFileException e) {
      // Retention was faster; what is left of the group waits for the next compaction.
      return 0;
    }
  }

  // Writing down.

  private long endPass(Survivors keeping) throws IOException {
    // A clock that was set back must not let tombstones look older than what was appended last.
    long nowMs =
        Math.max(log.context().wallClock().millis(), log.state().content().lastAppendTime());
    history = history.after(mappedTo, nowMs, cleanup.deleteRetentionMs(), keeping.tombstones());
    log.forcing(() -> CompactionFile.save(log.disk(), log.directory(), history));
    if (!full) {
      return DONE;
    }
    segments = cleanable(log, cleanup, log.context().wallClock().millis());
    newest = beginPass();
    return 0;
  }
}
