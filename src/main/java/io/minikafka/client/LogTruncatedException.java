package io.minikafka.client;

import io.minikafka.TopicPartition;

/**
 * The log was cut back below what this consumer has read: records it delivered are no longer there,
 * and others may stand at their offsets. Everything below {@link #validTo} is still as it was read.
 */
public final class LogTruncatedException extends FetchException {
  private static final long serialVersionUID = 1;
  private final long validTo;

  LogTruncatedException(TopicPartition partition, long position, long epoch, long validTo) {
    super(
        partition,
        "the log was cut at offset %d (end of epoch %d), below the position %d"
            .formatted(validTo, epoch, position),
        null);
    this.validTo = validTo;
  }

  /** The offset up to which what was read is still what is there. */
  public long validTo() {
    return validTo;
  }
}
