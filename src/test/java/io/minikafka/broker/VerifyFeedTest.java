package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.partition.Cleanup;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.LogCheck.Finding;
import io.minikafka.partition.MemoryStore;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class VerifyFeedTest {
  private static final UUID TOPIC = new UUID(1, 2);
  private static final PartitionSettings SETTINGS =
      new PartitionSettings(
          new StoreSettings(
              1 << 20, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.COMMIT, 1000, Cleanup.DEFAULT),
          1 << 20);

  private final HandTimers timers = new HandTimers();

  private static Partition partition(int number, String offline) {
    return new Partition(
        new PartitionId(TOPIC, number),
        new MemoryStore(new PartitionStore.Snapshot(1, 0, 5, 5, 0, offline)),
        SETTINGS,
        new Partition.Surroundings(
            InstantSource.fixed(Instant.EPOCH), () -> 0, Runnable::run, EngineObserver.NONE),
        visible -> {});
  }

  /** What is found in partitions that are offline for these reasons, or are not. */
  private List<Finding> verified(String... offline) {
    List<Partition> partitions = new ArrayList<>();
    for (String reason : offline) {
      partitions.add(partition(partitions.size(), reason));
    }
    Topic topic =
        new Topic(
            new TopicEntry("t", TOPIC, partitions.size(), TopicSettings.NONE),
            SETTINGS,
            partitions);
    List<LogTargets.Target> targets =
        partitions.stream().map(each -> new LogTargets.Target(topic, each)).toList();
    List<Finding> found = new ArrayList<>();
    VerifyFeed feed = new VerifyFeed(targets, 0, Runnable::run, timers, () -> {});
    while (feed.next().join()
        instanceof Result.Done<Optional<VerifyReport>>(Optional<VerifyReport> report)) {
      if (report.isEmpty()) {
        feed.close();
        return found;
      }
      found.addAll(report.get().findings());
    }
    throw new AssertionError("refused");
  }

  @Test
  void aPartitionThatIsOfflineIsAFindingAlsoIfNothingIsWrongWithItsBytes() {
    assertEquals(
        List.of(new Finding.Offline("its end was refused")), verified("", "its end was refused"));
  }
}
