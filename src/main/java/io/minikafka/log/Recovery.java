package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;

/**
 * Brings the files of a log into a state that can be served, as docs/FORMAT.md says under
 * "Recovery": look at everything, decide, and only then touch anything.
 *
 * <p><b>What is left to the caller.</b> A checkpoint with the new epochs must be forced before the
 * first append, one for as many logs as were opened together; the clean mark must be taken away
 * before the first call. A log that came back unreadable keeps its old entry in the checkpoint.
 *
 * <p><b>Threads.</b> Any number at once, for different partitions.
 *
 * <p><b>Errors.</b> What is wrong with the bytes is in the answer. So is a read error, or a failed
 * write or force while mending: that partition is offline and must not be tried again by this
 * process, because a repeated force can report success over lost pages. Only want of room or of
 * descriptors is thrown.
 */
final class Recovery implements Recoverer {
  private final Disk disk;
  private final Path data;
  private final EngineObserver observer;
  private final Strangers strangers;
  private final Quarantine quarantine;
  private final boolean startsAreExact;
  private final InstantSource wallClock;

  /** Buffers not in use; as many as logs were ever recovered at the same time. */
  private final Queue<Window> windows = new ConcurrentLinkedQueue<>();

  /**
   * @param startsAreExact whether the checkpoint is the newest that was ever written; if not, a log
   *     start may have moved since, and segments missing at the front are taken for deleted
   * @param wallClock for when damage was found
   */
  Recovery(
      Disk disk,
      Path data,
      EngineObserver observer,
      Strangers strangers,
      Quarantine quarantine,
      boolean startsAreExact,
      InstantSource wallClock) {
    this.disk = disk;
    this.data = data;
    this.observer = observer;
    this.strangers = strangers;
    this.quarantine = quarantine;
    this.startsAreExact = startsAreExact;
    this.wallClock = wallClock;
  }

  @Override
  public RecoveredLog recover(
      PartitionId id, Optional<CheckpointEntry> known, boolean clean, int indexIntervalBytes)
      throws IOException {
    Window free = windows.poll();
    Window window = free != null ? free : new Window();
    try {
      return new Attempt(id, known, window, indexIntervalBytes).run(clean);
    } catch (DiskFullException | OpenFileLimitException e) {
      throw e;
    } catch (IOException e) {
      return offline(id, known, "recovery failed: " + e.getMessage());
    } finally {
      windows.add(window);
    }
  }

  private RecoveredLog offline(PartitionId id, Optional<CheckpointEntry> known, String reason) {
    observer.onOffline(id, reason);
    return new RecoveredLog(
        id,
        List.of(),
        Optional.empty(),
        known.map(CheckpointEntry::logEpoch).orElse(0),
        known.map(CheckpointEntry::start).orElse(0L),
        known.map(CheckpointEntry::end).orElse(0L),
        known.map(CheckpointEntry::lastMarkerCrc).orElse(0),
        Long.MIN_VALUE,
        DamageRanges.NONE,
        reason,
        false,
        0,
        0);
  }

  /** One log, once. */
  private final class Attempt {
    private final PartitionId id;
    private final Path directory;
    private final Optional<CheckpointEntry> known;
    private final Survey survey;
    private final Leftovers leftovers;

    Attempt(
        PartitionId id, Optional<CheckpointEntry> known, Window window, int indexIntervalBytes) {
      this.id = id;
      this.directory = LogFiles.partition(data, id);
      this.known = known;
      LogRules rules =
          LogRules.of(
              id,
              known.map(CheckpointEntry::openOffset).orElse(0L),
              known.map(CheckpointEntry::logEpoch).orElse(0));
      this.survey = new Survey(disk, directory, window, rules, indexIntervalBytes);
      this.leftovers = new Leftovers(disk, directory, window, rules, strangers);
    }

    RecoveredLog run(boolean clean) throws IOException {
      PartitionListing listing = PartitionListing.of(disk, directory);
      Leftovers.Settled settled = leftovers.settle(listing);
      if (!listing.leftovers().isEmpty()) {
        listing = PartitionListing.of(disk, directory);
      }
      List<Long> expired = expired(listing.baseOffsets());
      List<Long> bases =
          listing.baseOffsets().subList(expired.size(), listing.baseOffsets().size());
      Optional<DamageRanges> marked = DamageFile.load(disk, directory);
      if (marked.isEmpty()) {
        strangers.passOver(
            LogFiles.damage(directory), "the whole log is read to find its damage again");
      }
      boolean believed = clean && !settled.swaps() && isAsLeft(bases, marked);
      if (!believed) {
        survey.run(bases, marked.map(known -> toScan(bases, known)).orElse(base -> true));
      }
      if (!survey.newerVersion().isEmpty()) {
        return offline(id, known, survey.newerVersion());
      }
      long scannedBytes = survey.scannedBytes();
      Verdict.Known knowledge = knowledge(clean, marked);
      Verdict verdict = Verdict.of(survey.reports(), knowledge.durableTo(settled.durable()));
      // Up to here nothing was touched but what a swap had left.
      Mend mend = new Mend(disk, id, directory, quarantine);
      long cutBytes = 0;
      List<SegmentReport> kept = survey.reports();
      if (verdict.cut().isPresent()) {
        cutBytes = mend.cut(kept, verdict.cut().get());
        kept = withoutTail(kept, verdict.cut().get(), verdict.end());
      } else if (!verdict.refusal().isEmpty()) {
        kept = withoutOnlyNamed(kept, verdict.end());
      }
      mend.removeExpired(expired);
      DamageRanges before = marked.orElse(DamageRanges.NONE);
      DamageRanges damage = damage(verdict, kept, before).notedSince(before, wallClock.millis());
      if (listing.exists()) {
        if (!marked.equals(Optional.of(damage))) {
          DamageFile.save(disk, directory, damage);
        }
        if (!believed) {
          for (SegmentReport rewritten : mend.force(kept, knowledge.durable())) {
            // Between the two reads the kernel may have dropped pages that the disk never held.
            survey.checkUnchanged(rewritten);
          }
        }
      }
      tell(listing, damage, verdict.refusal());
      return recovered(verdict, kept, damage, scannedBytes, cutBytes);
    }

    /** Segments that lie wholly below the log start. */
    private List<Long> expired(List<Long> bases) {
      long start = known.map(CheckpointEntry::start).orElse(0L);
      int count = 0;
      while (count + 1 < bases.size() && bases.get(count + 1) <= start) {
        count++;
      }
      return bases.subList(0, count);
    }

    private boolean isAsLeft(List<Long> bases, Optional<DamageRanges> marked) throws IOException {
      return known.isPresent()
          && !bases.isEmpty()
          && marked.isPresent()
          && marked.get().in(bases.getLast()).isEmpty()
          && survey.runClean(bases, known.get(), marked.get());
    }

    /**
     * Segments to be read whole: from the durable offset on, and those with known damage, because a
     * repair of it may have come to its end without coming to say so.
     */
    private LongPredicate toScan(List<Long> bases, DamageRanges marked) {
      long scanFrom = scanFrom(bases);
      return base -> base >= scanFrom || !marked.in(base).isEmpty();
    }

    /** Base offset of the segment that holds the durable offset of the checkpoint. */
    private long scanFrom(List<Long> bases) {
      long durable = known.map(CheckpointEntry::durable).orElse(0L);
      long from = 0;
      for (long base : bases) {
        if (base <= durable) {
          from = base;
        }
      }
      return from;
    }

    private Verdict.Known knowledge(boolean clean, Optional<DamageRanges> marked) {
      long end = known.map(CheckpointEntry::end).orElse(0L);
      long durable = known.map(CheckpointEntry::durable).orElse(0L);
      return new Verdict.Known(
          known.map(CheckpointEntry::start).orElse(0L),
          startsAreExact && known.isPresent(),
          Math.max(survey.durable(), clean ? end : durable),
          end,
          !clean && marked.isPresent() && !marked.get().endRefused());
    }

    /** Segments whose name alone says that the log was ever that long stay, but out of the log. */
    private List<SegmentReport> withoutOnlyNamed(List<SegmentReport> segments, long end)
        throws IOException {
      List<SegmentReport> kept =
          new ArrayList<>(segments.stream().filter(s -> s.baseOffset() <= end).toList());
      if (!kept.isEmpty() && kept.size() < segments.size()) {
        // It is the last one now, so its indexes are wanted.
        SegmentReport last = kept.removeLast();
        kept.add(survey.scanFront(last.baseOffset(), last.bytes()));
      }
      return kept;
    }

    private List<SegmentReport> withoutTail(List<SegmentReport> segments, Verdict.Cut cut, long end)
        throws IOException {
      if (cut.ordinal() < 0) {
        return List.of();
      }
      List<SegmentReport> kept = new ArrayList<>(segments.subList(0, cut.ordinal()));
      SegmentReport last = segments.get(cut.ordinal());
      boolean indexed = last.indexes().isPresent() && last.lastGoodPosition() < cut.position();
      SegmentReport front = indexed ? last : survey.scanFront(last.baseOffset(), cut.position());
      kept.add(front.cutAt(cut.position(), end));
      return kept;
    }

    /** What is damaged now, and what was before where nobody looked this time. */
    private DamageRanges damage(Verdict verdict, List<SegmentReport> kept, DamageRanges marked) {
      List<DamageRange> all = new ArrayList<>(verdict.damage());
      for (SegmentReport segment : kept) {
        if (!segment.scanned()) {
          // What was missing behind its end is there again if the end is where the next one begins.
          marked.in(segment.baseOffset()).stream()
              .filter(range -> range.from() < segment.endOffset())
              .forEach(all::add);
        }
      }
      return new DamageRanges(all, !verdict.refusal().isEmpty()).from(verdict.start());
    }

    private void tell(PartitionListing listing, DamageRanges damage, String refusal) {
      for (DamageRange range : damage.ranges()) {
        observer.onDamage(id, range.from(), range.to(), range.what());
      }
      if (!refusal.isEmpty()) {
        observer.onOffline(id, refusal);
      }
      for (PartitionListing.IndexFile orphan : listing.orphans()) {
        strangers.setAside(orphan.file(), "an index without its segment");
      }
      for (Path inTheWay : listing.inTheWay()) {
        strangers.setAside(inTheWay, "no regular file, with the name of a log's");
      }
      for (String name : listing.strange()) {
        strangers.leave(directory.resolve(name), "is nothing of a log's");
      }
    }

    private RecoveredLog recovered(
        Verdict verdict,
        List<SegmentReport> kept,
        DamageRanges damage,
        long scannedBytes,
        long cutBytes) {
      List<RecoveredLog.Sealed> sealed = new ArrayList<>();
      for (int i = 0; i + 1 < kept.size(); i++) {
        SegmentReport segment = kept.get(i);
        long next = kept.get(i + 1).baseOffset();
        int bytes = segment.readableBytes(damage.in(segment.baseOffset()));
        sealed.add(new RecoveredLog.Sealed(segment.baseOffset(), next, bytes));
      }
      Optional<SegmentReport> last =
          kept.isEmpty() ? Optional.empty() : Optional.of(kept.getLast());
      int epoch = Math.max(known.map(CheckpointEntry::logEpoch).orElse(0), survey.highestEpoch());
      return new RecoveredLog(
          id,
          sealed,
          last.map(
              segment ->
                  new RecoveredLog.Active(
                      segment.baseOffset(),
                      segment.readableBytes(damage.in(segment.baseOffset())),
                      segment.indexes().orElseThrow())),
          Math.addExact(epoch, 1),
          verdict.start(),
          verdict.end(),
          last.map(SegmentReport::lastMarkerCrc).orElse(0),
          lastAppendTime(kept),
          damage,
          verdict.refusal(),
          true,
          scannedBytes,
          cutBytes);
    }

    private long lastAppendTime(List<SegmentReport> kept) {
      for (SegmentReport segment : kept.reversed()) {
        if (segment.lastAppendTime() != Long.MIN_VALUE) {
          return segment.lastAppendTime();
        }
      }
      return Long.MIN_VALUE;
    }
  }
}
