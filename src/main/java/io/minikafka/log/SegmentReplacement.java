package io.minikafka.log;

import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts a compacted or repaired segment into the place of its originals in an open log, on the disk
 * and in the published state. Readers that hold leases of the originals keep their bytes; who comes
 * later finds the new one, which is open from the beginning, so that its name does not matter.
 *
 * <p><b>Errors.</b> Up to the second name (see {@link SegmentSwap}) the log is as it was. Behind it
 * the new segment is the truth, and if the rest cannot be done the log goes offline: a restart does
 * it. A failed force is final for the data directory, as everywhere.
 */
final class SegmentReplacement {
  private final OpenLog log;
  private final List<SealedSegment> originals;
  private final OffsetRange range;
  private final Optional<List<DamageRange>> left;
  private final SegmentSwap swap;

  /** For a compaction. */
  SegmentReplacement(OpenLog log, List<SealedSegment> originals) {
    this(
        log,
        originals,
        new OffsetRange(originals.getFirst().baseOffset(), originals.getLast().nextOffset()),
        Optional.empty());
  }

  /**
   * @param originals none if the new segment is for offsets that have no file, before all others
   * @param left what is still damaged in the new segment; empty if no damage is taken over, and
   *     damaged originals are not replaced
   */
  SegmentReplacement(
      OpenLog log,
      List<SealedSegment> originals,
      OffsetRange range,
      Optional<List<DamageRange>> left) {
    this.log = log;
    this.originals = originals;
    this.range = range;
    this.left = left;
    this.swap =
        new SegmentSwap(
            log.disk(),
            log.directory(),
            range,
            directory -> log.forcing(() -> log.disk().forceDirectory(directory)));
  }

  SegmentSwap swap() {
    return swap;
  }

  /**
   * @return false if the originals are not there any more, or damage was found in them: then
   *     nothing was changed
   */
  boolean putInPlace(GroupCleaning.Result.Written written) throws IOException {
    DiskFile file = written.file();
    boolean given = false;
    try {
      log.forcing(file::force);
      log.segmentsLock().lock();
      try {
        if (!mayReplace()) {
          return false;
        }
        commit();
        given = true;
        SealedSegment fresh = publish(written);
        finish();
        fresh.saveIndexes();
        log.used(fresh);
        return true;
      } finally {
        log.segmentsLock().unlock();
      }
    } finally {
      if (!given) {
        file.close();
        swap.giveUp();
      }
    }
  }

  private boolean mayReplace() {
    LogState now = log.state();
    if (left.isPresent()) {
      boolean isFree =
          !originals.isEmpty()
              || (now.viewCount() > 0 && now.view(0).segment().baseOffset() == range.to());
      return !log.isClosed() && isFree && now.content().sealed().containsAll(originals);
    }
    return !log.isClosed()
        && !now.isOffline()
        && now.content().sealed().containsAll(originals)
        && originals.stream().allMatch(s -> now.damage().in(s.baseOffset()).isEmpty());
  }

  private void commit() throws IOException {
    try {
      swap.commit();
    } catch (IOException e) {
      if (!log.context().committer().hasFailed()) {
        takeBack(e);
      }
      throw e;
    }
  }

  private void takeBack(IOException cause) {
    try {
      swap.takeBack();
    } catch (IOException e) {
      log.goOffline(
          "putting a segment in place failed (%s) and could not be taken back: %s"
              .formatted(cause.getMessage(), e.getMessage()));
    }
  }

  private SealedSegment publish(GroupCleaning.Result.Written written) {
    SealedSegment fresh =
        SealedSegment.compacted(
            range,
            written.bytes(),
            log.file(range.from(), written.file()),
            log.hotBlocks(),
            log.indexFiles(),
            written.indexes());
    fresh.hotBlocks().touch(0, written.bytes());
    log.update(
        now -> {
          LogState changed = now.withContent(now.content().replacing(originals, fresh));
          return left.map(
                  damage -> changed.withDamage(now.damage().replacing(range.from(), damage)))
              .orElse(changed);
        });
    for (SealedSegment original : originals) {
      log.context().openSegments().forget(original);
      original.giveUp();
    }
    return fresh;
  }

  private void finish() throws IOException {
    try {
      Set<Long> bases = new HashSet<>(Set.of(range.from()));
      originals.forEach(original -> bases.add(original.baseOffset()));
      swap.finish(bases);
    } catch (IOException e) {
      log.goOffline(
          "putting a segment in place could not be finished, a restart will: " + e.getMessage());
      throw e;
    }
  }
}
