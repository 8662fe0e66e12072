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
 */
record DamageRange(
    long from, long to, long segmentBase, int fromPosition, int toPosition, String what) {

  /** The same, as operators are told. */
  DamagedRange described() {
    return new DamagedRange(
        from, to, segmentBase, fromPosition, (long) toPosition - fromPosition, what);
  }
}
