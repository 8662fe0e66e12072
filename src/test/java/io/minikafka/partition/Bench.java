package io.minikafka.partition;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A partition over a {@link MemoryStore} with a clock, a worker and a producer moved by hand. */
final class Bench {
  static final PartitionId ID = new PartitionId(new UUID(1, 2), 3);

  /** What became of one append, in the order the answers came. */
  record Answer(String batch, AppendResult result) {
    @Override
    public String toString() {
      return switch (result) {
        case Appended(long base, long durable, long start, long time, int epoch, Durability how) ->
            "%s@%d %s".formatted(batch, base, how);
        case Refused(AppendResult.Reason reason, String message) -> batch + " " + reason;
      };
    }
  }

  final MemoryStore store;
  final HandExecutor worker = new HandExecutor();
  final List<Answer> answers = new ArrayList<>();
  final List<Long> risen = new ArrayList<>();
  final Partition partition;
  long millis = 1000;
  long nanos;

  /** Runs whenever somebody reads the monotonic clock: an offer does, before it queues. */
  Runnable onClock = () -> {};

  Bench(FlushPolicy policy) {
    this(policy, new MemoryStore());
  }

  Bench(FlushPolicy policy, MemoryStore store) {
    this(policy, store, EngineObserver.NONE);
  }

  Bench(FlushPolicy policy, MemoryStore store, EngineObserver observer) {
    this.store = store;
    partition =
        new Partition(
            ID,
            store,
            settings(policy),
            new Partition.Surroundings(
                () -> Instant.ofEpochMilli(millis), this::nanoTime, worker, observer),
            risen -> this.risen.add(risen.highWatermark()));
  }

  private long nanoTime() {
    onClock.run();
    return nanos;
  }

  static PartitionSettings settings(FlushPolicy policy) {
    return settings(policy, 16 << 20);
  }

  static PartitionSettings settings(FlushPolicy policy, int maxMessageBytes) {
    return new PartitionSettings(
        new StoreSettings(1 << 20, Long.MAX_VALUE, 4096, -1, -1, policy, 1000), maxMessageBytes);
  }

  /** A batch of so many records of ten bytes. */
  static CheckedBatch batch(int records) {
    return batch(records, 10);
  }

  static CheckedBatch batch(int records, int valueBytes) {
    BatchBuilder builder = new BatchBuilder(records * (28 + valueBytes));
    for (int i = 0; i < records; i++) {
      builder.append(i, null, new byte[valueBytes], List.of());
    }
    ByteBuffer bytes = builder.version1();
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    return switch (BatchCheck.version1(Bytes.of(copy.put(bytes).flip()))) {
      case CheckedBatch checked -> checked;
      case BatchCheck.Refused refused -> throw new AssertionError(refused.reason());
    };
  }

  /** Offers and drains; the answer is kept under the name. */
  void append(String name, int records, Durability wanted) {
    append(name, batch(records), wanted);
  }

  void append(String name, CheckedBatch batch, Durability wanted) {
    partition.append(batch, wanted, result -> answers.add(new Answer(name, result)));
  }

  boolean offer(String name, CheckedBatch batch, Durability wanted) {
    return partition.offer(batch, wanted, result -> answers.add(new Answer(name, result)));
  }

  String answers() {
    return String.join(", ", answers.stream().map(Answer::toString).toList());
  }
}
