package io.minikafka.coordinator;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.group.TopicsView;
import io.minikafka.partition.Partition;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What the coordinator needs from around it.
 *
 * @param wallClock for what is written down
 * @param worker runs the rules, and may block; may be a single thread
 */
public record Surroundings(
    InstantSource wallClock,
    Timers timers,
    Executor worker,
    Topics topics,
    EngineObserver observer) {

  /** The topics, as far as groups are concerned. Any thread. */
  public interface Topics {
    /** Those that exist now. */
    TopicsView view();

    /** A partition that groups can read. */
    Optional<Partition> partition(PartitionId id);

    /** All of them. */
    List<Partition> partitions();

    /**
     * Sees to it that the offsets log exists.
     *
     * @return exceptionally if it cannot be had now; the message is for the operator
     */
    CompletableFuture<Partition> offsetsLog();
  }

  /** Where the log of the partition starts; empty if that is not known. */
  OptionalLong logStart(PartitionId id) {
    return topics
        .partition(id)
        .map(Partition::snapshot)
        .filter(now -> !now.isOffline())
        .map(now -> OptionalLong.of(now.start()))
        .orElseGet(OptionalLong::empty);
  }
}
