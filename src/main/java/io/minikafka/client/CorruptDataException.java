package io.minikafka.client;

import io.minikafka.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the server sent is not what the format says: a checksum does not match, an entry is cut, or
 * offsets have a hole or an overlap. The message names what was expected and what was found.
 */
public final class CorruptDataException extends FetchException {
  private static final long serialVersionUID = 1;
  private final long offset;

  CorruptDataException(
      TopicPartition partition, long offset, String message, @Nullable Throwable cause) {
    super(partition, message, cause);
    this.offset = offset;
  }

  /** The first offset that is not good; everything below it was delivered. */
  public long offset() {
    return offset;
  }
}
