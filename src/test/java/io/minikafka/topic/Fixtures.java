package io.minikafka.topic;

import static org.junit.jupiter.api.Assertions.fail;

import io.minikafka.EngineObserver;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** What tests of topics share. */
public final class Fixtures {
  public static final PartitionSettings DEFAULTS =
      new PartitionSettings(
          new StoreSettings(
              64 << 20, 604_800_000, 4096, 1_000_000, 86_400_000, FlushPolicy.NONE, 1000),
          32 << 20);

  public static final Topics.Start START = new Topics.Start(4, false);

  private Fixtures() {}

  public static Partition.Surroundings surroundings(Executor worker) {
    return new Partition.Surroundings(
        () -> Instant.ofEpochMilli(1_000), () -> 0, worker, EngineObserver.NONE);
  }

  public static Topics topics(FakeStores stores, Executor worker) {
    return topics(stores, worker, TopicListener.NONE);
  }

  public static Topics topics(FakeStores stores, Executor worker, TopicListener listener) {
    return new Topics(stores, DEFAULTS, surroundings(worker), idsOf(stores), START, listener);
  }

  /** Goes on counting where an earlier broker over the same stores ended. */
  private static Supplier<UUID> idsOf(FakeStores stores) {
    return () -> new UUID(7, stores.lastId.incrementAndGet());
  }

  /** Over a worker that runs everything at once. */
  public static Topics started(FakeStores stores) {
    Topics topics = topics(stores, Runnable::run);
    topics.start().join();
    return topics;
  }

  public static <T> T done(CompletableFuture<Outcome<T>> answer) {
    return done(now(answer));
  }

  public static <T> T done(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> value;
      case Outcome.Refused<T>(TopicError error) -> fail("refused: " + error);
    };
  }

  public static TopicError refused(CompletableFuture<? extends Outcome<?>> answer) {
    return refused(now(answer));
  }

  public static TopicError refused(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?>(Object value) -> fail("not refused: " + value);
      case Outcome.Refused<?>(TopicError error) -> error;
    };
  }

  /** The value of an answer that must be there. */
  public static <T> T now(CompletableFuture<T> answer) {
    if (!answer.isDone()) {
      fail("there is no answer yet");
    }
    return answer.join();
  }

  /** A batch of records without keys, valid and ready to be appended. */
  public static CheckedBatch batch(int records, int valueBytes) {
    BatchBuilder builder = new BatchBuilder(64);
    for (int i = 0; i < records; i++) {
      builder.append(1_000, null, new byte[valueBytes], List.of());
    }
    return (CheckedBatch) BatchCheck.version1(Bytes.of(builder.version1()));
  }

  /** A batch of one record with a key. */
  public static CheckedBatch keyed() {
    BatchBuilder builder = new BatchBuilder(64);
    builder.append(1_000, new byte[] {1}, new byte[] {2}, List.of());
    return (CheckedBatch) BatchCheck.version1(Bytes.of(builder.version1()));
  }

  /** What came of appending one record with the topic's own durability. */
  public static AppendResult append(Partition partition) {
    CompletableFuture<AppendResult> answer = new CompletableFuture<>();
    partition.append(batch(1, 10), Durability.TOPIC, answer::complete);
    return now(answer);
  }
}
