package io.minikafka.client;

import io.minikafka.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a consumer cannot be read on at its position. The position stays; the other
 * partitions are not touched. The way on is a {@code seek} of this partition, or removing it.
 */
public abstract sealed class FetchException extends MinikafkaException
    permits CorruptDataException,
        DamagedRangeException,
        LogTruncatedException,
        OffsetOutOfRangeException {
  private static final long serialVersionUID = 1;
  private final TopicPartition partition;

  FetchException(TopicPartition partition, String message, @Nullable Throwable cause) {
    super(partition + ": " + message, cause);
    this.partition = partition;
  }

  public final TopicPartition partition() {
    return partition;
  }
}
