package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives a log another end, for a repair: the segment with the damage is written anew up to it, with
 * or without a gap behind, and everything behind that goes.
 *
 * <p><b>A crash.</b> The new segment lies in a {@code .cleaned} file, which a start removes, until
 * it is renamed over the old one. A log that is cut gets its new end and epoch into the checkpoint
 * first: from there on all that is behind is stale, and a start takes it for a torn tail and cuts
 * it, as this does. A log whose damage is skipped has its new end as soon as the segment has its
 * name. Before these points a start finds the old state.
 *
 * <p>Used once, by the holder of the log's append lock, flusher and segments lock.
 */
final class NewEnd {
  private final OpenLog log;
  private final Window window;
  private final RepairPlan plan;
  private final Path cleaned;

  NewEnd(OpenLog log, Window window, RepairPlan plan) {
    this.log = log;
    this.window = window;
    this.plan = plan;
    this.cleaned = LogFiles.cleaned(log.directory(), plan.rewrittenBase());
  }

  /** The segment that the log ends with; empty if it has none any more. */
  private record Last(DiskFile file, int bytes, SegmentCheck check, List<DamageRange> left) {}

  boolean make() throws IOException {
    Optional<Last> last = Optional.empty();
    boolean published = false;
    try {
      last = plan.rewrites() ? Optional.of(write()) : Optional.empty();
      if (plan.cuts()) {
        announce(last);
      }
      LogState before = log.state();
      LogState after = publish(last);
      published = true;
      giveUp(before, after);
      try {
        changeFiles();
        log.namesChanged();
        saveDamage();
      } catch (IOException e) {
        log.goOffline("a repair could not be finished, a restart will: " + e.getMessage());
        throw e;
      }
      return true;
    } finally {
      log.announce(Optional.empty());
      if (!published) {
        if (last.isPresent()) {
          last.get().file.close();
        }
        log.disk().delete(cleaned);
      }
    }
  }

  private Last write() throws IOException {
    log.disk().delete(cleaned);
    DiskFile out = log.disk().open(cleaned, Disk.Mode.CREATE);
    boolean written = false;
    try {
      RepairedSegment fresh = new RepairedSegment(log, window, plan.range(), out);
      if (plan.segment().isPresent()) {
        Segment segment = plan.segment().get();
        DiskFile in = segment.file().lease();
        try {
          fresh.copy(in, 0, plan.frontBytes());
        } finally {
          segment.file().unlease();
        }
      }
      if (!plan.cuts()) {
        fresh.gap();
      }
      SegmentCheck check = fresh.checked(new OffsetRange(plan.rewrittenBase(), plan.end()), true);
      written = true;
      return new Last(out, fresh.bytes(), check, fresh.left(check));
    } finally {
      if (!written) {
        out.close();
      }
    }
  }

  /**
   * From here on a start cuts the log by itself. The damage stays written down until it is gone,
   * but not that the end was refused: that would keep a start from cutting anything.
   */
  private void announce(Optional<Last> last) throws IOException {
    DamageRanges before = log.state().damage();
    if (before.endRefused()) {
      save(new DamageRanges(before.ranges(), false));
    }
    log.willBeWritten();
    log.announce(
        Optional.of(
            new CheckpointEntry(
                log.id(),
                log.state().epoch().number() + 1,
                log.startToCome(),
                plan.end(),
                plan.end(),
                plan.end(),
                last.map(Last::bytes).orElse(0),
                last.map(l -> l.check.lastMarkerCrc()).orElse(0))));
    try {
      log.context().checkpoints().write();
    } catch (DiskFullException | OpenFileLimitException e) {
      log.announce(Optional.empty());
      if (before.endRefused()) {
        save(before);
      }
      throw e;
    }
  }

  private void save(DamageRanges ranges) throws IOException {
    log.forcing(() -> DamageFile.save(log.disk(), log.directory(), ranges));
  }

  private DamageRanges damage(LogState now, Optional<Last> last) {
    DamageRanges front = now.damage().endingBelow(plan.range().from());
    return last.map(l -> front.replacing(plan.rewrittenBase(), l.left)).orElse(front);
  }

  private LogState publish(Optional<Last> last) {
    Optional<ActiveSegment> active =
        last.map(
            l -> {
              ActiveSegment made = log.active(plan.rewrittenBase(), l.file, l.check.indexes());
              made.hotBlocks().touch(0, l.bytes);
              return made;
            });
    return log.update(
        now -> {
          List<SealedSegment> sealed =
              now.content().sealed().stream()
                  .filter(segment -> segment.baseOffset() < plan.rewrittenBase())
                  .toList();
          LogState.Content content =
              LogState.Content.of(
                  sealed,
                  active.orElse(null),
                  last.map(Last::bytes).orElse(0),
                  plan.end(),
                  last.map(l -> l.check.lastMarkerCrc()).orElse(0),
                  now.content().lastAppendTime());
          LogState.Epoch epoch =
              plan.cuts() ? new LogState.Epoch(now.epoch().number() + 1, plan.end()) : now.epoch();
          return new LogState(
              content,
              epoch,
              now.start(),
              plan.end(),
              damage(now, last),
              offlineStill(now),
              now.readable());
        });
  }

  /** Only what the plan knew of is repaired: what took the log offline since then stays. */
  private String offlineStill(LogState now) {
    if (!now.offline().equals(plan.offline())) {
      return now.offline();
    }
    // Of two reasons the first is told, and a failed force is no reason that a repair ends.
    return log.context().committer().hasFailed() ? now.offline() : "";
  }

  /** Who reads keeps the bytes; who comes now finds the new state. */
  private void giveUp(LogState before, LogState after) {
    for (SealedSegment segment : before.content().sealed()) {
      if (!after.content().sealed().contains(segment)) {
        log.context().openSegments().forget(segment);
        segment.giveUp();
      }
    }
    ActiveSegment active = before.content().active();
    if (active != null) {
      active.file().retire();
    }
  }

  private void changeFiles() throws IOException {
    List<Long> highestFirst = new ArrayList<>(plan.doomed()).reversed();
    for (long base : highestFirst) {
      deleteIndexes(base);
      log.disk().delete(LogFiles.log(log.directory(), base));
    }
    deleteIndexes(plan.rewrittenBase());
    log.forcing(() -> log.disk().forceDirectory(log.directory()));
    if (plan.rewrites()) {
      log.disk().rename(cleaned, LogFiles.log(log.directory(), plan.rewrittenBase()));
      log.forcing(() -> log.disk().forceDirectory(log.directory()));
    }
  }

  private void deleteIndexes(long base) throws IOException {
    log.disk().delete(LogFiles.offsetIndex(log.directory(), base));
    log.disk().delete(LogFiles.timeIndex(log.directory(), base));
  }

  private void saveDamage() throws IOException {
    try {
      log.damage().save();
    } catch (DiskFullException | OpenFileLimitException e) {
      // The next start finds the log whole, and says so then.
      System.getLogger(NewEnd.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "that {0} was repaired was not noted: {1}",
              log.id(),
              e.getMessage());
    }
  }
}
