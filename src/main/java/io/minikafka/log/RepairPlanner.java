package io.minikafka.log;

import io.minikafka.log.RepairPlan.Outcome;
import io.minikafka.log.RepairPlan.Piece;
import io.minikafka.log.RepairPlan.Way;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.RepairResult.Reason;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Works out what a repair would do, from the newest state of a log; changes nothing. Blocks: damage
 * that was found by its headers alone is bounded anew, so that no good record goes with it.
 */
final class RepairPlanner {
  /** Ranges that a refusal names. */
  private static final int MOST_NAMED = 3;

  private final OpenLog log;
  private final Window window;

  /**
   * @param window for it alone
   */
  RepairPlanner(OpenLog log, Window window) {
    this.log = log;
    this.window = window;
  }

  Outcome plan(RepairAction action, long offset) throws IOException {
    LogState now = log.state();
    if (log.isClosed()) {
      return refused(Reason.CLOSED, "the partition was closed");
    }
    if (!now.readable() || log.context().committer().hasFailed()) {
      return refused(
          Reason.NOT_POSSIBLE,
          "the partition cannot be repaired while it cannot be read (%s); a restart comes first"
              .formatted(now.offline()));
    }
    if (now.isOffline() && !now.damage().endRefused()) {
      return refused(
          Reason.NOT_POSSIBLE,
          "the partition is offline, and not for damage (%s); a restart comes first"
              .formatted(now.offline()));
    }
    Optional<DamageRange> known = now.damage().at(offset).or(() -> behindTheEnd(now, offset));
    if (known.isEmpty()) {
      return refused(
          Reason.NOT_DAMAGED, "offset %d is not damaged; %s".formatted(offset, named(now)));
    }
    Outcome outcome = plan(action, offset, now, known.get());
    return outcome instanceof Outcome.Planned(RepairPlan plan) ? unlessNoRoom(plan) : outcome;
  }

  /** What stands behind the end holds no offset, but it is why that was refused. */
  private static Optional<DamageRange> behindTheEnd(LogState now, long offset) {
    if (!now.damage().endRefused() || offset != now.end()) {
      return Optional.empty();
    }
    ActiveSegment active = now.content().active();
    int position = now.content().endPosition();
    return Optional.of(
        new DamageRange(
            offset,
            offset,
            active == null ? offset : active.baseOffset(),
            position,
            position,
            "bytes behind the end"));
  }

  private static String named(LogState now) {
    List<DamageRange> ranges = now.damage().ranges();
    if (now.damage().endRefused() && ranges.stream().noneMatch(range -> range.to() == now.end())) {
      return "what stands behind offset %d is".formatted(now.end());
    }
    if (ranges.isEmpty()) {
      return "nothing in this partition is known to be";
    }
    String first =
        ranges.stream()
            .limit(MOST_NAMED)
            .map(range -> "%d to %d".formatted(range.from(), range.to() - 1))
            .collect(Collectors.joining(", "));
    return "damaged are %s%s".formatted(first, ranges.size() > MOST_NAMED ? " and more" : "");
  }

  private Outcome plan(RepairAction action, long offset, LogState now, DamageRange known)
      throws IOException {
    Optional<LogState.View> view = viewOf(now, known.segmentBase());
    boolean isRefusedEnd = now.damage().endRefused() && known.to() == now.end();
    if (action == RepairAction.CUT) {
      return cut(now, known, view);
    }
    if (isRefusedEnd) {
      return known.to() - rewrittenBase(known, view) > Integer.MAX_VALUE
          ? refused(
              Reason.NOT_POSSIBLE,
              "the damage reaches over more offsets than a segment can; cut the log instead")
          : planned(
              new Draft(action, now.offline(), known, view, Way.NEW_END, known.to(), known.to()));
    }
    if (view.isEmpty()) {
      return known.to() - known.from() > Integer.MAX_VALUE
          ? refused(
              Reason.NOT_POSSIBLE,
              "the damage reaches over more offsets than a segment can; delete the records below"
                  + " offset %d instead".formatted(known.to()))
          : planned(new Draft(action, now.offline(), known, view, Way.SWAP, known.to(), now.end()));
    }
    boolean active = view.get().segment() instanceof ActiveSegment;
    if (active && now.isOffline()) {
      return refused(
          Reason.NOT_POSSIBLE, "the end of the log is refused; it has to be repaired first");
    }
    Optional<DamageRange> range = narrowed(known, offset, now, view.get());
    if (range.isEmpty()) {
      return refused(
          Reason.NOT_DAMAGED,
          "a closer look finds offset %d good; verify names what is damaged".formatted(offset));
    }
    Way way = active ? Way.SEAL_AND_SWAP : Way.SWAP;
    return planned(
        new Draft(action, now.offline(), range.get(), view, way, range.get().to(), now.end()));
  }

  private Outcome cut(LogState now, DamageRange known, Optional<LogState.View> view)
      throws IOException {
    long start = Math.max(now.start(), log.startToCome());
    if (known.from() < start) {
      return refused(
          Reason.NOT_POSSIBLE,
          "the log begins at offset %d, within the damage; skip it instead".formatted(start));
    }
    boolean follows = now.damage().ranges().stream().anyMatch(range -> range.to() == known.from());
    if (follows) {
      return refused(
          Reason.NOT_POSSIBLE,
          "what ends at offset %d is damaged too; cut there".formatted(known.from() - 1));
    }
    return planned(
        new Draft(
            RepairAction.CUT, now.offline(), known, view, Way.NEW_END, now.end(), known.from()));
  }

  /** A plan without the files it touches. */
  private record Draft(
      RepairAction action,
      String offline,
      DamageRange range,
      Optional<LogState.View> view,
      Way way,
      long lostTo,
      long end) {}

  private Outcome planned(Draft draft) throws IOException {
    List<Piece> pieces = new ArrayList<>();
    List<Long> doomed = new ArrayList<>();
    DamageRange range = draft.range;
    boolean newEnd = draft.way == Way.NEW_END;
    if (draft.view.isPresent()) {
      int to = newEnd ? Integer.MAX_VALUE : range.toPosition();
      addPiece(pieces, range.segmentBase(), range.fromPosition(), to);
    }
    if (newEnd) {
      // The directory knows also those that are kept and not served.
      long behind = draft.view.map(view -> view.segment().baseOffset()).orElse(range.from() - 1);
      for (long base : PartitionListing.of(log.disk(), log.directory()).baseOffsets()) {
        if (base > behind) {
          doomed.add(base);
          addPiece(pieces, base, 0, Integer.MAX_VALUE);
        }
      }
    }
    return new Outcome.Planned(
        new RepairPlan(
            draft.action,
            draft.offline,
            range,
            draft.view.map(LogState.View::segment),
            draft.way,
            draft.lostTo,
            draft.end,
            List.copyOf(pieces),
            List.copyOf(doomed)));
  }

  private void addPiece(List<Piece> pieces, long base, int from, int to) throws IOException {
    long size = log.disk().size(LogFiles.log(log.directory(), base));
    int end = (int) Math.min(to, size);
    if (end > from) {
      pieces.add(new Piece(base, from, end));
    }
  }

  /** The damage around an offset by its bytes; empty if the offset is good by these. */
  private Optional<DamageRange> narrowed(
      DamageRange known, long offset, LogState now, LogState.View view) throws IOException {
    Segment segment = view.segment();
    DiskFile file = segment.file().lease();
    try {
      window.open(file, view.bytes());
      List<DamageRange> found =
          new SegmentCheck(
                  window,
                  LogRules.of(log.id(), now.epoch().openOffset(), now.epoch().number()),
                  segment.baseOffset(),
                  view.nextOffset(),
                  0,
                  Integer.MAX_VALUE)
              .run().damage().stream().filter(known::overlaps).toList();
      // What only the segments around it tell, such as a stale epoch, is not seen here.
      return found.isEmpty()
          ? Optional.of(known)
          : found.stream()
              .filter(r -> r.from() <= offset && offset < r.to())
              .findFirst()
              .map(r -> r.foundAt(known.foundMs()));
    } finally {
      segment.file().unlease();
    }
  }

  private Outcome unlessNoRoom(RepairPlan plan) throws IOException {
    LogContext context = log.context();
    long aside = plan.bytesSetAside();
    long room = context.quarantine().roomBytes();
    if (aside > room) {
      return refused(
          Reason.NO_ROOM,
          ("%d bytes go and a copy of them is to be kept, but quarantine takes %d bytes more"
                  + " (minikafka.storage.quarantine-bytes); move away what is in it, or raise that")
              .formatted(aside, room));
    }
    long written = aside + bytesWritten(plan) + CompactedSegment.LEAST_FREE_BYTES;
    long free = log.disk().usableBytes(context.data());
    return free < written
        ? refused(
            Reason.NO_ROOM,
            "%d bytes of the disk are free, the repair needs %d".formatted(free, written))
        : new Outcome.Planned(plan);
  }

  private long bytesWritten(RepairPlan plan) {
    if (plan.way() == Way.NEW_END) {
      return plan.frontBytes() + GapEntry.BYTES;
    }
    int bytes = viewOf(log.state(), plan.rewrittenBase()).map(LogState.View::bytes).orElse(0);
    return (long) bytes + GapEntry.BYTES;
  }

  static Optional<LogState.View> viewOf(LogState now, long base) {
    for (int i = 0; i < now.viewCount(); i++) {
      if (now.view(i).segment().baseOffset() == base) {
        return Optional.of(now.view(i));
      }
    }
    return Optional.empty();
  }

  private static long rewrittenBase(DamageRange range, Optional<LogState.View> view) {
    return view.map(v -> v.segment().baseOffset()).orElse(range.from());
  }

  private static Outcome refused(Reason reason, String message) {
    return new Outcome.Refused(new RepairResult.Refused(reason, message));
  }
}
