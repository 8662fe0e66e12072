package io.minikafka.coordinator;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.broker.GroupTopics;
import io.minikafka.codec.Bytes;
import io.minikafka.group.GroupLimits;
import io.minikafka.log.DirectorySettings;
import io.minikafka.log.LogDirectory;
import io.minikafka.partition.Cleanup;
import io.minikafka.partition.Durability;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimClock;
import io.minikafka.sim.SimExecutor;
import io.minikafka.storage.Disk;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.TopicListener;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * One life of a broker's topics and groups over the local store: everything runs on the test's
 * thread, in the order of a seed, until nothing is left to do or the disk was turned off.
 */
final class Life {
  static final String TOPIC = "orders";
  static final int PARTITIONS = 3;

  /** Records in each partition; commits may go as far. */
  static final int RECORDS = 1000;

  private static final AtomicLong IDS = new AtomicLong();

  final SimClock clock;
  final LogDirectory logs;
  final Topics topics;
  final Coordinator coordinator;
  private final SimExecutor worker;
  private final SimExecutor forcer;
  private final BooleanSupplier isOff;

  Life(
      Disk disk,
      Path directory,
      BooleanSupplier isOff,
      SimClock clock,
      long seed,
      List<SettingChange> offsetsLog)
      throws IOException {
    this.isOff = isOff;
    this.clock = clock;
    clock.forgetTimers();
    worker = new SimExecutor(seed);
    forcer = new SimExecutor(seed + 1);
    logs =
        LogDirectory.open(
            directory,
            new DirectorySettings(
                1 << 28, 2, 30_000, 500, 1_000, 64, 1 << 20, 1 << 20, 10_000, 100, 1 << 20, 1 << 20,
                0),
            new LogDirectory.Surroundings(
                disk, clock, clock, worker, forcer, EngineObserver.NONE, reason -> {}));
    StoreSettings store =
        new StoreSettings(
            1 << 20, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.COMMIT, 1000, Cleanup.DEFAULT);
    topics =
        new Topics(
            logs,
            new PartitionSettings(store, 1 << 20),
            new Partition.Surroundings(clock, clock, worker, EngineObserver.NONE),
            () -> new UUID(7, IDS.incrementAndGet()),
            new Topics.Start(3, false),
            TopicListener.NONE);
    coordinator =
        new Coordinator(
            new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
            new Surroundings(
                clock, clock, worker, new GroupTopics(topics, offsetsLog), EngineObserver.NONE));
  }

  /**
   * @return false if the disk was turned off meanwhile
   */
  boolean start() {
    topics.start();
    run();
    if (isOff.getAsBoolean()) {
      return false;
    }
    coordinator.start();
    run();
    if (!isOff.getAsBoolean() && !(coordinator.status() instanceof Status.Serving)) {
      throw new AssertionError("groups are not served: " + coordinator.status());
    }
    return !isOff.getAsBoolean();
  }

  /** Makes the topic with its records. */
  void makeTopic() {
    topics.create(TOPIC, PARTITIONS, List.of(), false);
    run();
    coordinator.topicsChanged();
    for (int i = 0; i < PARTITIONS; i++) {
      BatchBuilder batch = new BatchBuilder(64);
      for (int n = 0; n < RECORDS; n++) {
        batch.append(1, null, new byte[1], List.of());
      }
      CheckedBatch checked = (CheckedBatch) BatchCheck.version1(Bytes.of(batch.version1()));
      topics.partition(partition(i)).orElseThrow().append(checked, Durability.FLUSHED, r -> {});
    }
    run();
  }

  PartitionId partition(int number) {
    return new PartitionId(topics.topic(TOPIC).orElseThrow().id(), number);
  }

  Partition offsetsLog() {
    return topics.partition(GroupTopics.OFFSETS_LOG).orElseThrow();
  }

  /** Runs one task of somebody; false if there is none. */
  boolean step() {
    try {
      return !isOff.getAsBoolean() && (worker.runOne() || forcer.runOne());
    } catch (PowerOff e) {
      return false;
    }
  }

  void run() {
    while (step()) {}
  }

  void advanceMs(long ms) {
    try {
      clock.advance(ms);
    } catch (PowerOff e) {
      return;
    }
    run();
  }
}
