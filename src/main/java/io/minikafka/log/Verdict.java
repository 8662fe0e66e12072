package io.minikafka.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done with what a survey found; the rules of docs/FORMAT.md, "Recovery", as a pure
 * function. Below D, the durable offset, everything was promised: what is bad there is damage, and
 * every byte is kept. The first bad place at or above D, with all that follows, is the torn tail.
 *
 * @param start log start offset
 * @param end log end offset, never below D
 * @param cut where the torn tail begins; empty if there is none
 * @param damage what is kept but cannot be read
 * @param refusal empty, or why nothing may be appended
 */
record Verdict(long start, long end, Optional<Cut> cut, List<DamageRange> damage, String refusal) {

  /**
   * All from here on goes.
   *
   * @param ordinal of the segment that is cut; those behind it go whole, with −1 all of them
   * @param position in that segment; its size if it stays as it is
   * @param what is wrong there
   */
  record Cut(int ordinal, int position, String what) {}

  /**
   * What is known of a log besides its files.
   *
   * @param start log start offset of the newest checkpoint there is
   * @param startIsExact whether no later checkpoint can have raised it
   * @param durable D
   * @param assigned an offset below which all may have been given out
   * @param mayCut false after a clean shutdown, or if an earlier start refused the end: then
   *     nothing is a torn tail
   */
  record Known(long start, boolean startIsExact, long durable, long assigned, boolean mayCut) {
    /** The same, with another witness of what was durable. */
    Known durableTo(long offset) {
      return new Known(start, startIsExact, Math.max(durable, offset), assigned, mayCut);
    }
  }

  static Verdict of(List<SegmentReport> segments, Known known) {
    if (segments.isEmpty()) {
      return withoutSegments(known);
    }
    long first = segments.getFirst().baseOffset();
    List<DamageRange> damage = new ArrayList<>();
    boolean leadingGap = first > known.start && known.startIsExact;
    long start = leadingGap ? known.start : Math.max(first, known.start);
    if (leadingGap) {
      DamageRange gap = missing(start, first);
      if (isTail(gap, known)) {
        return new Verdict(start, start, Optional.of(new Cut(-1, 0, gap.what())), damage, "");
      }
      damage.add(gap);
    }
    for (int i = 0; i < segments.size(); i++) {
      if (isOnlyNamed(segments, i, damage, known)) {
        return onlyNamed(start, damage, known);
      }
      for (DamageRange bad : badIn(segments, i)) {
        if (isTail(bad, known)) {
          Cut cut = new Cut(i, bad.fromPosition(), bad.what());
          return new Verdict(start, bad.from(), Optional.of(cut), readable(damage), "");
        }
        damage.add(bad);
      }
    }
    return uncut(segments.getLast(), start, damage, known);
  }

  /**
   * Whether damage reaches up to a segment of which, as of all behind it, nothing but the name says
   * that the log was ever that long.
   */
  private static boolean isOnlyNamed(
      List<SegmentReport> segments, int ordinal, List<DamageRange> damage, Known known) {
    long base = segments.get(ordinal).baseOffset();
    return base > Math.max(known.durable, known.assigned)
        && !damage.isEmpty()
        && damage.getLast().to() == base
        && damage.getLast().from() < base
        && segments.subList(ordinal, segments.size()).stream()
            .allMatch(segment -> segment.lastGoodPosition() < 0);
  }

  /** The damage is the end of the log; what lies behind is kept and not served. */
  private static Verdict onlyNamed(long start, List<DamageRange> damage, Known known) {
    DamageRange gap = damage.removeLast();
    long end = Math.max(gap.from(), Math.max(known.durable, known.assigned));
    DamageRange tail = withEnd(gap, end);
    damage.add(tail);
    return new Verdict(start, end, Optional.empty(), readable(damage), refusal(tail));
  }

  /** No torn tail: the log ends in order, or too early, or inside damage. */
  private static Verdict uncut(
      SegmentReport last, long start, List<DamageRange> damage, Known known) {
    long end = last.endOffset();
    if (!last.lost() && end >= known.durable) {
      return new Verdict(start, end, Optional.empty(), readable(damage), "");
    }
    long assigned = Math.max(end, Math.max(known.durable, known.assigned));
    DamageRange tail;
    if (last.lost()) {
      DamageRange bad = damage.removeLast();
      tail = withEnd(bad, assigned);
    } else {
      tail =
          new DamageRange(
              end, assigned, last.baseOffset(), last.bytes(), last.bytes(), "the log ends here");
    }
    damage.add(tail);
    return new Verdict(start, assigned, Optional.empty(), readable(damage), refusal(tail));
  }

  private static Verdict withoutSegments(Known known) {
    if (known.start >= known.durable) {
      return new Verdict(known.start, known.start, Optional.empty(), List.of(), "");
    }
    DamageRange all = missing(known.start, Math.max(known.durable, known.assigned));
    return new Verdict(known.start, all.to(), Optional.empty(), List.of(all), refusal(all));
  }

  /** Bad places of a segment and, if it ends before the next one begins, what is missing. */
  private static List<DamageRange> badIn(List<SegmentReport> segments, int ordinal) {
    SegmentReport segment = segments.get(ordinal);
    if (ordinal == segments.size() - 1) {
      return segment.bad();
    }
    long next = segments.get(ordinal + 1).baseOffset();
    long end =
        segment.lost() && !segment.bad().isEmpty()
            ? segment.bad().getLast().to()
            : segment.endOffset();
    if (end >= next) {
      return segment.bad();
    }
    List<DamageRange> bad = new ArrayList<>(segment.bad());
    int at = segment.bytes();
    bad.add(
        new DamageRange(
            end, next, segment.baseOffset(), at, at, "nothing up to the next segment's offset"));
    return bad;
  }

  private static boolean isTail(DamageRange bad, Known known) {
    return known.mayCut && bad.from() >= known.durable;
  }

  /**
   * Bytes that are bad but hold no offset, behind the end of a complete segment, harm no reader.
   */
  private static List<DamageRange> readable(List<DamageRange> damage) {
    return damage.stream().filter(range -> range.to() > range.from()).toList();
  }

  private static DamageRange missing(long from, long to) {
    return new DamageRange(from, to, from, 0, 0, "the file is missing");
  }

  private static DamageRange withEnd(DamageRange range, long to) {
    return new DamageRange(
        range.from(),
        to,
        range.segmentBase(),
        range.fromPosition(),
        range.toPosition(),
        range.what());
  }

  private static String refusal(DamageRange tail) {
    return "the end of the log is damaged from offset %d to %d (%s); the partition stays"
        .formatted(tail.from(), tail.last(), tail.what())
        .concat(" closed for appends until it is repaired; every byte is kept; the topic can be")
        .concat(" deleted");
  }
}
