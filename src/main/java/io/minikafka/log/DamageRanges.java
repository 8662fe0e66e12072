package io.minikafka.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is known to be damaged in one log, in offset order, without overlap. Immutable; any thread.
 *
 * @param endRefused whether a start found the end of the log damaged: no later one may take that
 *     end for a torn tail
 */
record DamageRanges(List<DamageRange> ranges, boolean endRefused) {
  static final DamageRanges NONE = new DamageRanges(List.of(), false);

  DamageRanges {
    ranges = ranges.stream().sorted(Comparator.comparingLong(DamageRange::from)).toList();
  }

  int count() {
    return ranges.size();
  }

  /** The range that holds {@code offset}. */
  Optional<DamageRange> at(long offset) {
    if (ranges.isEmpty()) {
      return Optional.empty();
    }
    return ranges.stream().filter(r -> r.from() <= offset && offset < r.to()).findFirst();
  }

  /** The first range that begins above {@code offset}. */
  Optional<DamageRange> next(long offset) {
    if (ranges.isEmpty()) {
      return Optional.empty();
    }
    return ranges.stream().filter(r -> r.from() > offset).findFirst();
  }

  /** The last range that ends at or below {@code offset} in that segment. */
  Optional<DamageRange> lastBefore(long offset, long segmentBase) {
    if (ranges.isEmpty()) {
      return Optional.empty();
    }
    return ranges.stream()
        .filter(r -> r.segmentBase() == segmentBase && r.to() <= offset)
        .reduce((first, second) -> second);
  }

  /** Ranges in one segment, in order. */
  List<DamageRange> in(long segmentBase) {
    return ranges.stream().filter(r -> r.segmentBase() == segmentBase).toList();
  }

  /**
   * With ranges of one segment that somebody has found. They count instead of the known ones they
   * overlap, but never for less than these.
   *
   * @return the same if nothing new was in them
   */
  DamageRanges widened(List<DamageRange> found, long nowMs) {
    List<DamageRange> all = new ArrayList<>(ranges);
    for (DamageRange each : found) {
      DamageRange whole = each.foundAt(nowMs);
      for (DamageRange known : List.copyOf(all)) {
        if (known.overlaps(each)) {
          all.remove(known);
          whole = known.joined(whole);
        }
      }
      all.add(whole);
    }
    DamageRanges changed = new DamageRanges(all, endRefused);
    return changed.equals(this) ? this : changed;
  }

  /**
   * With less of one segment: of two ranges that begin at the same place the one of {@code found}
   * counts, which may end sooner.
   *
   * @param found all that is bad in it, by a look at every byte ...
   * @param toPosition ... up to here; what is known to reach further stays
   * @return the same if none ends sooner
   */
  DamageRanges narrowed(List<DamageRange> found, int toPosition) {
    List<DamageRange> all =
        ranges.stream()
            .map(known -> known.toPosition() <= toPosition ? narrowed(known, found) : known)
            .toList();
    return all.equals(ranges) ? this : new DamageRanges(all, endRefused);
  }

  private static DamageRange narrowed(DamageRange known, List<DamageRange> found) {
    return found.stream()
        .filter(each -> each.from() == known.from() && each.to() < known.to())
        .filter(each -> each.segmentBase() == known.segmentBase())
        .findFirst()
        .map(each -> each.foundAt(known.foundMs()))
        .orElse(known);
  }

  /** With others in one segment. */
  DamageRanges replacing(long segmentBase, List<DamageRange> left) {
    List<DamageRange> all = new ArrayList<>(left);
    ranges.stream().filter(r -> r.segmentBase() != segmentBase).forEach(all::add);
    return new DamageRanges(all, endRefused);
  }

  /** Without one, at the end of the log, for which that was refused, and without what follows. */
  DamageRanges endingBelow(long offset) {
    return new DamageRanges(ranges.stream().filter(r -> r.from() < offset).toList(), false);
  }

  /** Each as it was noted before, if it was, else as found at {@code nowMs}. */
  DamageRanges notedSince(DamageRanges before, long nowMs) {
    return new DamageRanges(
        ranges.stream().map(r -> r.foundAt(before.foundMs(r).orElse(nowMs))).toList(), endRefused);
  }

  private Optional<Long> foundMs(DamageRange range) {
    return ranges.stream().filter(range::overlaps).map(DamageRange::foundMs).findFirst();
  }

  /** Without what lies wholly below {@code start}. */
  DamageRanges from(long start) {
    return ranges.isEmpty()
        ? this
        : new DamageRanges(ranges.stream().filter(r -> r.to() > start).toList(), endRefused);
  }
}
