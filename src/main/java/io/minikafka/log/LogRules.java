package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.PartitionHash;

/**
 * What every marker of one log must agree with besides its own checksum. Immutable; any thread.
 *
 * @param partitionHash of the partition
 * @param openOffset from this offset on ...
 * @param leastEpoch ... no marker has a lower epoch
 */
record LogRules(long partitionHash, long openOffset, int leastEpoch) {
  static LogRules of(PartitionId id, long openOffset, int leastEpoch) {
    return new LogRules(PartitionHash.of(id), openOffset, leastEpoch);
  }

  /**
   * What speaks against a marker whose checksum and version are right, wherever it stands.
   *
   * @param lastEpoch the highest epoch before it in the log
   * @param limitOffset the next segment's base offset
   * @return empty if nothing does
   */
  String objection(BatchMarker marker, int lastEpoch, long limitOffset) {
    if (marker.partitionHash() != partitionHash) {
      return "it belongs to another partition";
    }
    if (marker.logEpoch() < lastEpoch
        || (marker.baseOffset() >= openOffset && marker.logEpoch() < leastEpoch)) {
      return "it is stale: log epoch %d where at least %d is due"
          .formatted(
              marker.logEpoch(),
              marker.baseOffset() >= openOffset ? Math.max(lastEpoch, leastEpoch) : lastEpoch);
    }
    if (marker.baseOffset() < 0
        || marker.span() < 1
        || marker.baseOffset() > limitOffset - marker.span()
        || marker.bytes() < 0
        || marker.durableOffset() < 0
        || marker.durableOffset() > marker.baseOffset()) {
      return "its offsets or lengths are impossible";
    }
    return "";
  }
}
