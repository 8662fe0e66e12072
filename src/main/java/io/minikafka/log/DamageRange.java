package io.minikafka.log;

import io.minikafka.partition.DamagedRange;

/**
 * Offsets {@code from} … {@code to} − 1 cannot be read: their bytes are kept, but are not what was
 * acknowledged. A range lies in one segment; damage that goes on in the next segment is a range
 * there.
 *
 * @param from first damaged offset; a batch boundary
 * @param to first good offset behind it, or the end of the segment
 * @param segmentBase base offset of the segment
 * @param fromPosition where in that segment the bad bytes begin
 * @param toPosition where the first good byte behind them is; equals {@code fromPosition} if the
 *     bytes are missing altogether
 * @param what is wrong, for people
 * @param foundMs when it was found first, by the broker's clock; 0 if that is not known
 */
record DamageRange(
    long from,
    long to,
    long segmentBase,
    int fromPosition,
    int toPosition,
    String what,
    long foundMs) {

  /** One of which nobody has noted yet when it was found. */
  DamageRange(long from, long to, long segmentBase, int fromPosition, int toPosition, String what) {
    this(from, to, segmentBase, fromPosition, toPosition, what, 0);
  }

  /** The last offset, in messages: both ends that are named are damaged. */
  long last() {
    return Math.max(from, to - 1);
  }

  int bytes() {
    return toPosition - fromPosition;
  }

  boolean overlaps(DamageRange other) {
    return from < other.to && other.from < to;
  }

  DamageRange foundAt(long ms) {
    return new DamageRange(from, to, segmentBase, fromPosition, toPosition, what, ms);
  }

  /** From the one's begin to the other's end; both in the same segment. */
  DamageRange joined(DamageRange other) {
    return new DamageRange(
        Math.min(from, other.from),
        Math.max(to, other.to),
        segmentBase,
        Math.min(fromPosition, other.fromPosition),
        Math.max(toPosition, other.toPosition),
        what,
        foundMs);
  }

  /** The same, as operators are told. */
  DamagedRange described() {
    return new DamagedRange(from, to, segmentBase, fromPosition, bytes(), what, foundMs);
  }
}
