package io.minikafka.coordinator;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log that groups are kept in: a partition like any other, of which the newest record of each
 * key counts.
 *
 * <p>Records are gathered and then appended as one batch, which a crash leaves whole or not at all;
 * the next gathering begins when that append was answered. One thread at a time; the answer of an
 * append comes on whichever thread made it durable.
 */
final class OffsetsLog {
  private static final int BUFFER_BYTES = 64 << 10;

  /** A buffer that has grown beyond it is not kept. */
  private static final int KEPT_BUFFER_BYTES = 4 << 20;

  private final Partition partition;
  private final InstantSource clock;
  private BatchBuilder batch = new BatchBuilder(BUFFER_BYTES);

  /**
   * @param clock for the timestamps of records
   */
  OffsetsLog(Partition partition, InstantSource clock) {
    this.partition = partition;
    this.clock = clock;
  }

  Partition partition() {
    return partition;
  }

  /**
   * Adds a record to the batch that is being gathered.
   *
   * @param value null deletes the key
   * @throws IllegalArgumentException if it is larger than any record can be
   */
  void gather(ByteBuffer key, @Nullable ByteBuffer value) {
    batch.append(clock.millis(), array(key), value == null ? null : array(value), List.of());
  }

  /** Bytes gathered so far. */
  int gatheredBytes() {
    return batch.entriesBytes();
  }

  int gatheredRecords() {
    return batch.count();
  }

  /** Gives up what was gathered. */
  void drop() {
    batch.clear();
  }

  /**
   * Appends what was gathered, at least one record, and begins to gather anew.
   *
   * @param done gets nothing once it is on stable storage, or why it is not; then the next append
   *     may follow
   */
  void append(Consumer<Outcome> done) {
    BatchCheck check = BatchCheck.version1(Bytes.of(batch.version1()));
    switch (check) {
      case BatchCheck.Refused(String reason) ->
          throw new IllegalStateException("a batch of our own making is refused: " + reason);
      case CheckedBatch checked ->
          partition.append(
              checked,
              Durability.FLUSHED,
              result -> {
                // The buffer is ours again.
                if (checked.bytes() > KEPT_BUFFER_BYTES) {
                  batch = new BatchBuilder(BUFFER_BYTES);
                } else {
                  batch.clear();
                }
                done.accept(outcome(result));
              });
    }
  }

  /** What came of an append. */
  sealed interface Outcome {}

  record Durable() implements Outcome {}

  record NotDurable(AppendResult.Reason reason, String message) implements Outcome {
    GroupReply.Cause cause() {
      return switch (reason) {
        case DISK_FULL -> GroupReply.Cause.DISK_FULL;
        case SHUTTING_DOWN -> GroupReply.Cause.SHUTTING_DOWN;
        case STORAGE_FAILED, DELETED, TOO_LARGE, KEYLESS -> GroupReply.Cause.STORAGE_FAILED;
      };
    }
  }

  private static Outcome outcome(AppendResult result) {
    return switch (result) {
      case Appended appended -> new Durable();
      case Refused(AppendResult.Reason reason, String message) -> new NotDurable(reason, message);
    };
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return copy;
  }
}
