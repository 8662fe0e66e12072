package io.minikafka.ops;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.partition.StoreSettings;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicSettings;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Topics whose partitions stand still: offsets 3, 5, 9 (start, durable, end), 700 bytes in 2
 * segments.
 */
final class StillTopics {
  static final Snapshot SNAPSHOT = new Snapshot(1, 3, 5, 9, 0, "");
  static final LogStats STATS = new LogStats(700, 2);

  private static final PartitionSettings SETTINGS =
      new PartitionSettings(
          new StoreSettings(1 << 20, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.COMMIT, 1000),
          1 << 20);

  private StillTopics() {}

  static Topic of(String name, int partitions) {
    return of(name, partitions, SNAPSHOT);
  }

  /** The same name gives the same id. */
  static Topic of(String name, int partitions, Snapshot snapshot) {
    UUID id = UUID.nameUUIDFromBytes(name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return new Topic(
        new TopicEntry(name, id, partitions, TopicSettings.NONE),
        SETTINGS,
        IntStream.range(0, partitions)
            .mapToObj(number -> partition(new PartitionId(id, number), snapshot))
            .toList());
  }

  private static Partition partition(PartitionId id, Snapshot snapshot) {
    return new Partition(
        id,
        new StillStore(snapshot, STATS),
        SETTINGS,
        new Partition.Surroundings(
            () -> Instant.EPOCH, () -> 0, Runnable::run, EngineObserver.NONE),
        risen -> {});
  }
}
