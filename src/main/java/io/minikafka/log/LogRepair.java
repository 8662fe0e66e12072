package io.minikafka.log;

import io.minikafka.log.RepairPlan.Outcome;
import io.minikafka.log.RepairPlan.Piece;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.RepairResult.Reason;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Repairs one log that is open. Whatever it does, it first keeps a copy of all bytes that go, and
 * writes and reads the new segment whole before anything is changed; the change itself is one
 * rename, or something that a start carries on (see {@link NewEnd}).
 *
 * <p>Any thread; blocks. One repair of a log at a time, and no compaction meanwhile.
 *
 * <p><b>Errors.</b> Until the change nothing has happened, but that an active segment with damage
 * may have been sealed: a roll like any other, which is not undone. Behind the change the repair is
 * the truth, and if its rest cannot be done the log goes offline: a restart does it.
 */
final class LogRepair {
  private static final RepairResult.Refused CLOSED =
      new RepairResult.Refused(Reason.CLOSED, "the partition was closed");

  private static final RepairResult.Refused GIVEN_UP =
      new RepairResult.Refused(
          Reason.NOT_DAMAGED, "the segment was given up by retention meanwhile");

  private final OpenLog log;
  private final LogWriter writer;
  private final LogFlusher flusher;
  private final LogCompactor compactor;

  LogRepair(OpenLog log, LogWriter writer, LogFlusher flusher, LogCompactor compactor) {
    this.log = log;
    this.writer = writer;
    this.flusher = flusher;
    this.compactor = compactor;
  }

  RepairResult run(RepairAction action, long offset, boolean validateOnly) throws IOException {
    RepairResult result;
    try {
      result = validateOnly ? plan(action, offset) : repair(action, offset);
    } catch (NoSuchFileException e) {
      if (log.isClosed()) {
        return CLOSED;
      }
      if (log.state().damage().at(offset).isEmpty()) {
        return gone();
      }
      throw e;
    }
    if (!validateOnly && result instanceof RepairResult.Done(var repair)) {
      boolean cut = repair.action() == RepairAction.CUT;
      log.context().observer().onRepaired(log.id(), repair.lostFrom(), repair.lostTo(), cut);
    }
    return result;
  }

  private RepairResult plan(RepairAction action, long offset) throws IOException {
    return switch (new RepairPlanner(log, new Window()).plan(action, offset)) {
      case Outcome.Refused(RepairResult.Refused why) -> why;
      case Outcome.Planned(RepairPlan plan) -> new RepairResult.Done(plan.described());
    };
  }

  private RepairResult repair(RepairAction action, long offset) throws IOException {
    Window window = new Window();
    RepairPlanner planner = new RepairPlanner(log, window);
    return compactor.exclusively(
        CLOSED,
        () ->
            switch (planner.plan(action, offset)) {
              case Outcome.Refused(RepairResult.Refused why) -> why;
              case Outcome.Planned(RepairPlan plan) ->
                  plan.way() == RepairPlan.Way.NEW_END
                      ? endAnew(planner, window, action, offset)
                      : swap(window, plan);
            });
  }

  // In the place of a segment.

  private RepairResult swap(Window window, RepairPlan plan) throws IOException {
    try {
      List<SealedSegment> originals = new ArrayList<>();
      if (plan.segment().isPresent()) {
        SealedSegment sealed = sealed(plan.segment().get());
        if (sealed == null) {
          return log.isClosed()
              ? CLOSED
              : new RepairResult.Refused(
                  Reason.NOT_POSSIBLE, "the segment has changed meanwhile; look again");
        }
        originals.add(sealed);
      }
      RepairResult result = withCopies(plan, () -> putInPlace(window, plan, originals));
      if (result instanceof RepairResult.Done) {
        saveDamage();
      }
      return result;
    } catch (DiskFullException | OpenFileLimitException e) {
      return noRoom(e);
    }
  }

  private @Nullable SealedSegment sealed(Segment segment) throws IOException {
    return switch (segment) {
      case SealedSegment sealed -> {
        log.forcing(() -> force(sealed));
        yield sealed;
      }
      case ActiveSegment active -> {
        SealedSegment sealed = writer.seal(active).orElse(null);
        if (sealed != null) {
          sealed.saveIndexes();
          log.forcing(flusher::force);
        }
        yield sealed;
      }
    };
  }

  private void saveDamage() throws IOException {
    try {
      log.damage().save();
    } catch (DiskFullException | OpenFileLimitException e) {
      // A start that has to look finds the segment good.
      System.getLogger(LogRepair.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "that {0} was repaired was not noted: {1}",
              log.id(),
              e.getMessage());
    }
  }

  /** What was just sealed may not have been forced yet. */
  private void force(SealedSegment sealed) throws IOException {
    if (!sealed.isForced()) {
      flusher.force();
    }
  }

  private boolean putInPlace(Window window, RepairPlan plan, List<SealedSegment> originals)
      throws IOException {
    OffsetRange range =
        originals.isEmpty()
            ? new OffsetRange(plan.range().from(), plan.range().to())
            : new OffsetRange(originals.getFirst().baseOffset(), originals.getFirst().nextOffset());
    compactor.forget();
    SegmentSwap swap =
        new SegmentSwap(log.disk(), log.directory(), range, log.disk()::forceDirectory);
    DiskFile out = swap.create();
    boolean given = false;
    try {
      RepairedSegment fresh = new RepairedSegment(log, window, plan.range(), out);
      if (!originals.isEmpty()) {
        SealedSegment original = originals.getFirst();
        DiskFile in = original.file().lease();
        try {
          fresh.copy(in, 0, plan.range().fromPosition());
          fresh.gap();
          fresh.copy(in, plan.range().toPosition(), original.bytes());
        } finally {
          original.file().unlease();
        }
      } else {
        fresh.gap();
      }
      SegmentCheck check = fresh.checked(range, false);
      given = true;
      return new SegmentReplacement(log, originals, range, Optional.of(fresh.left(check)))
          .putInPlace(new GroupCleaning.Result.Written(out, fresh.bytes(), check.indexes(), 0));
    } finally {
      if (!given) {
        out.close();
        swap.giveUp();
      }
    }
  }

  // At the end of the log.

  private RepairResult endAnew(
      RepairPlanner planner, Window window, RepairAction action, long offset) throws IOException {
    RepairResult result;
    log.appendLock().lock();
    try {
      result =
          flusher.afterForcingAll(
              () -> {
                log.segmentsLock().lock();
                try {
                  // As it is now that nothing moves any more.
                  return switch (planner.plan(action, offset)) {
                    case Outcome.Refused(RepairResult.Refused why) -> why;
                    case Outcome.Planned(RepairPlan plan) -> endAnew(window, plan);
                  };
                } finally {
                  log.segmentsLock().unlock();
                }
              });
    } catch (DiskFullException | OpenFileLimitException e) {
      return noRoom(e);
    } finally {
      log.appendLock().unlock();
    }
    if (result instanceof RepairResult.Done(var repair)) {
      log.listener().onRepaired(repair.end());
      log.context().checkpoints().soon();
    }
    return result;
  }

  private RepairResult endAnew(Window window, RepairPlan plan) throws IOException {
    if (plan.way() != RepairPlan.Way.NEW_END) {
      return new RepairResult.Refused(
          Reason.NOT_POSSIBLE, "the log has changed meanwhile; look again");
    }
    return withCopies(
        plan,
        () -> {
          compactor.forget();
          return new NewEnd(log, window, plan).make();
        });
  }

  // Copies.

  /** Work that changes the log, or not. */
  private interface Change {
    /**
     * @return false if there was nothing to be changed any more
     */
    boolean make() throws IOException;
  }

  private RepairResult withCopies(RepairPlan plan, Change change) throws IOException {
    List<Path> copies = new ArrayList<>();
    String offlineBefore = log.state().offline();
    boolean changed = false;
    try {
      for (Piece piece : plan.pieces()) {
        copies.add(copy(piece));
      }
      changed = change.make();
    } catch (DiskFullException | OpenFileLimitException e) {
      return noRoom(e);
    } finally {
      boolean asBefore =
          log.state().offline().equals(offlineBefore) && !log.context().committer().hasFailed();
      if (!changed && asBefore) {
        forget(copies);
      }
    }
    if (!changed) {
      return gone();
    }
    Path data = log.context().data();
    return new RepairResult.Done(
        plan.described()
            .withCopies(copies.stream().map(copy -> data.relativize(copy).toString()).toList()));
  }

  /** Why there is nothing to be repaired any more. */
  private RepairResult gone() {
    return log.isClosed() ? CLOSED : GIVEN_UP;
  }

  private Path copy(Piece piece) throws IOException {
    Path file = LogFiles.log(log.directory(), piece.base());
    try (DiskFile in = log.disk().open(file, Disk.Mode.READ)) {
      return log.context().quarantine().keep(log.id(), piece.base(), in, piece.from(), piece.to());
    }
  }

  private void forget(List<Path> copies) {
    for (Path copy : copies) {
      try {
        log.context().quarantine().forget(copy);
      } catch (IOException e) {
        System.getLogger(LogRepair.class.getName())
            .log(System.Logger.Level.DEBUG, "a copy that is of no use stays", e);
      }
    }
  }

  private static RepairResult noRoom(IOException cause) {
    return new RepairResult.Refused(
        Reason.NO_ROOM, "there is no room for the repair: " + cause.getMessage());
  }
}
