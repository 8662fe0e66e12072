package io.minikafka.client;

import io.minikafka.HeldOffsets;
import io.minikafka.TopicPartition;

/**
 * The position, perhaps a group's committed offset, lies outside the log, and the reset policy is
 * to fail.
 */
public final class OffsetOutOfRangeException extends FetchException {
  private static final long serialVersionUID = 1;
  private final long position;
  private final long logStart;
  private final long highWatermark;

  /**
   * @param what the position is
   */
  OffsetOutOfRangeException(
      TopicPartition partition, String what, long position, long logStart, long highWatermark) {
    super(
        partition,
        "%s %d is outside the log, which has %s"
            .formatted(what, position, HeldOffsets.inWords(logStart, highWatermark)),
        null);
    this.position = position;
    this.logStart = logStart;
    this.highWatermark = highWatermark;
  }

  public long position() {
    return position;
  }

  /** The first offset that can be read. */
  public long logStart() {
    return logStart;
  }

  /** The offset behind the last one that can be read. */
  public long highWatermark() {
    return highWatermark;
  }
}
