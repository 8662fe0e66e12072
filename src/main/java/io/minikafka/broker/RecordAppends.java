package io.minikafka.broker;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import io.minikafka.record.KeyHash;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicError.FieldError;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Appends a few records of an operator: one batch for each partition they go to, through the same
 * queue as what producers send. Any thread; never blocks.
 */
final class RecordAppends {
  /** Most records of one call. */
  static final int MAX_RECORDS = 100;

  private static final int BUILDER_BYTES = 1 << 10;

  private final InstantSource wallClock;

  /** Where records without a key go next. */
  private final AtomicInteger turn = new AtomicInteger();

  RecordAppends(InstantSource wallClock) {
    this.wallClock = wallClock;
  }

  /** The records of one partition. */
  private final class Lot {
    final Partition partition;
    final BatchBuilder builder = new BatchBuilder(BUILDER_BYTES);

    /** Where they stand in the request. */
    final List<Integer> ordinals = new ArrayList<>();

    Lot(Partition partition) {
      this.partition = partition;
    }

    int number() {
      return partition.id().partition();
    }

    void add(int ordinal, NewRecord added) {
      ordinals.add(ordinal);
      builder.append(
          added.timestamp().orElseGet(wallClock::millis),
          added.key().orElse(null),
          added.value().orElse(null),
          added.headers());
    }

    CheckedBatch batch() {
      return switch (BatchCheck.version1(Bytes.of(builder.version1()))) {
        case CheckedBatch batch -> batch;
        case BatchCheck.Refused(String reason) -> throw new IllegalStateException(reason);
      };
    }
  }

  /**
   * @param topic not one of the broker's own
   * @param partition empty if the keys decide
   * @return one for each record, in their order; refused if none of them was appended
   */
  CompletableFuture<Result<List<AppendedRecord>>> append(
      Topic topic,
      OptionalInt partition,
      List<NewRecord> records,
      Durability wanted,
      boolean validateOnly) {
    if (records.isEmpty() || records.size() > MAX_RECORDS) {
      return now(
          Result.refused(
              Refusal.invalid(
                  "records",
                  "records are %d, must be 1 to %d".formatted(records.size(), MAX_RECORDS))));
    }
    List<Lot> lots = lots(topic, partition, records);
    Map<Lot, CheckedBatch> batches = new LinkedHashMap<>();
    for (Lot lot : lots) {
      CheckedBatch batch = lot.batch();
      Optional<AppendResult.Refused> objection = lot.partition.objection(batch);
      if (objection.isPresent()) {
        return now(Result.refused(refusal(lot, objection.get())));
      }
      batches.put(lot, batch);
    }
    AppendedRecord[] answers = new AppendedRecord[records.size()];
    if (validateOnly) {
      lots.forEach(lot -> fill(answers, lot, i -> new AppendedRecord.Checked(lot.number())));
      return now(Result.done(List.of(answers)));
    }
    List<CompletableFuture<AppendResult>> results = new ArrayList<>();
    batches.forEach(
        (lot, batch) -> {
          CompletableFuture<AppendResult> result = new CompletableFuture<>();
          results.add(result);
          lot.partition.append(batch, wanted, result::complete);
        });
    return CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              for (int i = 0; i < lots.size(); i++) {
                take(answers, lots.get(i), results.get(i).join());
              }
              return answer(answers);
            });
  }

  private List<Lot> lots(Topic topic, OptionalInt partition, List<NewRecord> records) {
    int count = topic.partitions().size();
    int keyless = Integer.remainderUnsigned(turn.getAndIncrement(), count);
    Map<Integer, Lot> lots = new LinkedHashMap<>();
    for (int i = 0; i < records.size(); i++) {
      NewRecord added = records.get(i);
      int number =
          partition.orElseGet(
              () -> added.key().map(key -> KeyHash.partition(key, count)).orElse(keyless));
      lots.computeIfAbsent(number, n -> new Lot(topic.partitions().get(n))).add(i, added);
    }
    return List.copyOf(lots.values());
  }

  private static void take(AppendedRecord[] answers, Lot lot, AppendResult result) {
    switch (result) {
      case Appended done ->
          fill(
              answers,
              lot,
              i ->
                  new AppendedRecord.Done(
                      lot.number(), done.baseOffset() + i, done.appendTime(), done.reached()));
      case AppendResult.Refused refused -> {
        Refusal refusal = refusal(lot, refused);
        fill(answers, lot, i -> new AppendedRecord.Failed(lot.number(), refusal));
      }
    }
  }

  private interface Filling {
    /**
     * @param index of the record in its batch
     */
    AppendedRecord of(int index);
  }

  private static void fill(AppendedRecord[] answers, Lot lot, Filling filling) {
    for (int i = 0; i < lot.ordinals.size(); i++) {
      answers[lot.ordinals.get(i)] = filling.of(i);
    }
  }

  private static Result<List<AppendedRecord>> answer(AppendedRecord[] answers) {
    List<AppendedRecord> all = List.of(answers);
    boolean someDone = all.stream().anyMatch(AppendedRecord.Done.class::isInstance);
    return !someDone && all.getFirst() instanceof AppendedRecord.Failed failed
        ? Result.refused(failed.refusal())
        : Result.done(all);
  }

  private static Refusal refusal(Lot lot, AppendResult.Refused refused) {
    String message = "partition %d: %s".formatted(lot.number(), refused.message());
    return switch (refused.reason()) {
      case TOO_LARGE ->
          new Refusal(
              Refusal.Kind.INVALID,
              ErrorCode.MESSAGE_TOO_LARGE.name(),
              message,
              List.of(new FieldError("records", message)));
      case KEYLESS -> Refusal.invalid("records", message);
      case DISK_FULL -> Refusal.of(ErrorCode.DISK_FULL, message);
      case STORAGE_FAILED -> Refusal.of(ErrorCode.STORAGE_FAILED, message);
      case DELETED -> Refusal.of(ErrorCode.UNKNOWN_TOPIC, message);
      case SHUTTING_DOWN -> Refusal.of(ErrorCode.SHUTTING_DOWN, message);
    };
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
