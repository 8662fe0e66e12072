package io.minikafka.partition;

import java.util.List;

/**
 * A piece that a log is kept in.
 *
 * @param baseOffset its first offset
 * @param nextOffset behind its last one; of the active segment the log end
 * @param bytes of its entries
 * @param newestTimestamp largest of its records, ms; {@code Long.MIN_VALUE} if it has none
 * @param lastAppendTime of its last batch, ms; {@code Long.MIN_VALUE} if it has none
 * @param active whether it is the one that is written
 * @param compacted whether compaction has been through all of it
 * @param damage what in it is known to be damaged, in offset order
 */
public record SegmentDescription(
    long baseOffset,
    long nextOffset,
    long bytes,
    long newestTimestamp,
    long lastAppendTime,
    boolean active,
    boolean compacted,
    List<DamagedRange> damage) {
  public SegmentDescription {
    damage = List.copyOf(damage);
  }
}
