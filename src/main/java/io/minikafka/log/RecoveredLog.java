package io.minikafka.log;

import io.minikafka.PartitionId;
import java.util.List;
import java.util.Optional;

/**
 * What recovery made of one partition's files. When it exists everything it names was forced, files
 * and directory; only the checkpoint with {@code epoch} is still to be forced before the first
 * append.
 *
 * @param sealed oldest first; each ends where the next (or the active one) begins
 * @param active the newest segment; empty if there is no file yet, or the log is not readable
 * @param epoch the log epoch from now on: above every epoch seen, 1 or more
 * @param start log start offset
 * @param end log end offset; all below it is durable
 * @param lastMarkerCrc checksum of the last marker of the active segment; 0 if that is empty
 * @param lastAppendTime of the newest batch, ms; {@code Long.MIN_VALUE} if the log is empty
 * @param damage ranges that are kept but cannot be read
 * @param offline empty, or why nothing may be appended
 * @param readable false if nothing can be read either; then {@code offline} says why
 * @param scannedBytes bytes of log that were read and checked; 0 after a clean shutdown
 * @param cutBytes bytes of torn tail that were cut
 */
record RecoveredLog(
    PartitionId id,
    List<Sealed> sealed,
    Optional<Active> active,
    int epoch,
    long start,
    long end,
    int lastMarkerCrc,
    long lastAppendTime,
    DamageRanges damage,
    String offline,
    boolean readable,
    long scannedBytes,
    long cutBytes) {

  /**
   * A segment that is complete; its indexes are looked at when they are needed.
   *
   * @param nextOffset base offset of the next segment
   */
  record Sealed(long baseOffset, long nextOffset, int bytes) {}

  /** The segment that grows, with its indexes. */
  record Active(long baseOffset, int bytes, SegmentIndexes indexes) {}

  /** A partition that was never written. */
  static RecoveredLog empty(PartitionId id) {
    return new RecoveredLog(
        id,
        List.of(),
        Optional.empty(),
        1,
        0,
        0,
        0,
        Long.MIN_VALUE,
        DamageRanges.NONE,
        "",
        true,
        0,
        0);
  }
}
