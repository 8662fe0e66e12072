package io.minikafka.broker;

import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import java.util.List;
import java.util.Optional;

/**
 * Where a partition stands at one moment.
 *
 * @param partition 0-based number
 * @param epoch the log epoch, which is the leader epoch of the protocol
 * @param logStart log start offset
 * @param highWatermark all below it is visible
 * @param durable all below it is on stable storage
 * @param logEnd the next offset to be assigned
 * @param stats what it takes up, if its store can tell
 * @param damage what is known to be damaged, in offset order
 * @param offline empty, or why it serves nothing any more
 */
public record PartitionDescription(
    int partition,
    int epoch,
    long logStart,
    long highWatermark,
    long durable,
    long logEnd,
    Optional<LogStats> stats,
    List<DamagedRange> damage,
    String offline) {

  static PartitionDescription of(Partition partition) {
    // Read before the snapshot: so only a cut can bring the end that is reported with it below it.
    long highWatermark = partition.highWatermark();
    PartitionStore.Snapshot now = partition.snapshot();
    return new PartitionDescription(
        partition.id().partition(),
        now.epoch(),
        now.start(),
        Math.clamp(highWatermark, now.start(), now.end()),
        now.durable(),
        now.end(),
        partition.stats(),
        partition.damage(),
        now.offline());
  }
}
