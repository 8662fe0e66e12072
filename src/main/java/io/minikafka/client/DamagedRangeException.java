package io.minikafka.client;

import io.minikafka.TopicPartition;

/**
 * The server knows that it has lost the records from {@link #from} up to but not including {@link
 * #to}. To go on without them, seek to {@link #to}.
 */
public final class DamagedRangeException extends FetchException {
  private static final long serialVersionUID = 1;
  private final long from;
  private final long to;

  DamagedRangeException(TopicPartition partition, long from, long to) {
    super(
        partition,
        "offsets %d … %d are damaged; seek to %d to go on behind them".formatted(from, to - 1, to),
        null);
    this.from = from;
    this.to = to;
  }

  /** The first damaged offset. */
  public long from() {
    return from;
  }

  /** The first good offset behind the damage. */
  public long to() {
    return to;
  }
}
