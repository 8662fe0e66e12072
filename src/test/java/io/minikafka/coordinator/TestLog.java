package io.minikafka.coordinator;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.Cleanup;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.MemoryStore;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/** An offsets log in memory, as durable as the test says. */
final class TestLog {
  static final PartitionId ID = new PartitionId(new UUID(3, 4), 0);
  static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_000L));

  final MemoryStore store;
  final Partition partition;
  final OffsetsLog log;

  TestLog() {
    this(new MemoryStore());
  }

  TestLog(MemoryStore store) {
    this.store = store;
    this.partition = partition(store);
    this.log = new OffsetsLog(partition, CLOCK);
  }

  static Partition partition(PartitionStore store) {
    return partition(ID, store);
  }

  static Partition partition(PartitionId id, PartitionStore store) {
    return new Partition(
        id,
        store,
        settings(),
        new Partition.Surroundings(CLOCK, () -> 0, Runnable::run, EngineObserver.NONE),
        visible -> {});
  }

  static PartitionSettings settings() {
    StoreSettings settings =
        new StoreSettings(
            1 << 20, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.COMMIT, 1000, Cleanup.DEFAULT);
    return new PartitionSettings(settings, 60 << 20);
  }

  static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
