package io.minikafka.ops;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.CoordinatorSettings;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.TopicsView;
import io.minikafka.partition.Partition;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A coordinator that was never started. */
final class StillCoordinator {
  private StillCoordinator() {}

  static Coordinator make() {
    return new Coordinator(
        new CoordinatorSettings(GroupLimits.DEFAULTS, 1),
        new Surroundings(
            InstantSource.system(),
            new HandTimers(),
            work -> {},
            new NoTopics(),
            EngineObserver.NONE));
  }

  private static final class NoTopics implements Surroundings.Topics {
    @Override
    public TopicsView view() {
      return TopicsView.EMPTY;
    }

    @Override
    public Optional<Partition> partition(PartitionId id) {
      return Optional.empty();
    }

    @Override
    public List<Partition> partitions() {
      return List.of();
    }

    @Override
    public CompletableFuture<Partition> offsetsLog() {
      return new CompletableFuture<>();
    }
  }
}
