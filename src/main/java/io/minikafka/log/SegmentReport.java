package io.minikafka.log;

import java.util.List;
import java.util.Optional;

/**
 * What was found out about one segment.
 *
 * @param bytes size of the file
 * @param bad places in position order; a place that nothing good follows has {@code to} equal to
 *     {@code from}
 * @param endOffset behind the last thing that has a known end
 * @param lost whether the file ends inside something bad, so that its end offset is not known
 * @param lastGoodPosition of the last whole batch; −1 if there is none or the segment was not read
 * @param lastMarkerCrc of that batch's marker, 0 if there is none
 * @param lastAppendTime of that batch, ms; {@code Long.MIN_VALUE} if not known
 * @param scanned whether every byte was read and checked
 * @param fingerprint of all whole batches that were read: where they stand and what they hold
 * @param indexes of all whole batches, if they were built and kept
 */
record SegmentReport(
    long baseOffset,
    int bytes,
    List<DamageRange> bad,
    long endOffset,
    boolean lost,
    int lastGoodPosition,
    int lastMarkerCrc,
    long lastAppendTime,
    boolean scanned,
    long fingerprint,
    Optional<SegmentIndexes> indexes) {

  /**
   * A position up to which everything was forced.
   *
   * @param durable all below it was forced
   */
  int durableBytes(long durable) {
    if (!lost && endOffset <= durable) {
      return bytes;
    }
    if (durable <= baseOffset || indexes.isEmpty()) {
      return 0;
    }
    OffsetIndex offsets = indexes.get().offsets();
    return Math.min(bytes, offsets.positionOrZero(offsets.floorByOffset(durable)));
  }

  /**
   * Where the last offset ends: bad bytes behind it that are no damage belong to no offset.
   *
   * @param damage of this segment
   */
  int readableBytes(List<DamageRange> damage) {
    if (bad.isEmpty() || bad.getLast().to() > bad.getLast().from()) {
      return bytes;
    }
    int from = bad.getLast().fromPosition();
    boolean isDamage = damage.stream().anyMatch(range -> range.fromPosition() == from);
    return isDamage ? bytes : from;
  }

  /** A segment of which no more is known than that its last entries are in place. */
  static SegmentReport unread(long baseOffset, int bytes, TailWalk.Tail tail) {
    return new SegmentReport(
        baseOffset,
        bytes,
        List.of(),
        tail.endOffset(),
        false,
        -1,
        tail.lastMarkerCrc(),
        tail.lastAppendTime(),
        false,
        0,
        Optional.empty());
  }

  /** A complete segment that was not looked at. */
  static SegmentReport believed(long baseOffset, int bytes, long nextOffset) {
    return unread(baseOffset, bytes, new TailWalk.Tail(nextOffset, 0, Long.MIN_VALUE, -1));
  }

  /** A segment without a byte. */
  static SegmentReport empty(long baseOffset, int indexIntervalBytes) {
    return believed(baseOffset, 0, baseOffset)
        .withIndexes(new SegmentIndexes(baseOffset, indexIntervalBytes));
  }

  SegmentReport withIndexes(SegmentIndexes built) {
    return with(Optional.of(built));
  }

  SegmentReport withoutIndexes() {
    return with(Optional.empty());
  }

  /** The segment after a cut behind its last whole batch. */
  SegmentReport cutAt(int position, long end) {
    return new SegmentReport(
        baseOffset,
        position,
        List.of(),
        end,
        false,
        lastGoodPosition,
        lastMarkerCrc,
        lastAppendTime,
        scanned,
        fingerprint,
        indexes);
  }

  private SegmentReport with(Optional<SegmentIndexes> changed) {
    return new SegmentReport(
        baseOffset,
        bytes,
        bad,
        endOffset,
        lost,
        lastGoodPosition,
        lastMarkerCrc,
        lastAppendTime,
        scanned,
        fingerprint,
        changed);
  }
}
