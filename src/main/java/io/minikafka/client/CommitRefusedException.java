package io.minikafka.client;

import io.minikafka.protocol.ErrorCode;

/**
 * A commit was refused: by the server, or by this client because it knows that its session is over.
 * Nothing of it was stored. Usually the partitions went to another member, which the next {@code
 * poll} tells by {@link RebalanceListener#onLost}; the records since the last commit come again
 * there.
 */
public final class CommitRefusedException extends MinikafkaException {
  private static final long serialVersionUID = 1;
  private final ErrorCode error;

  CommitRefusedException(ErrorCode error, String message) {
    super(message, null);
    this.error = error;
  }

  /**
   * {@link ErrorCode#UNKNOWN_MEMBER} not a member any more, {@link ErrorCode#NOT_OWNER} the
   * partition is another's, {@link ErrorCode#ILLEGAL_GENERATION} it was taken away and given anew
   * since, {@link ErrorCode#OFFSET_OUT_OF_RANGE} beyond the end of the log, and what else the
   * server may say.
   */
  public ErrorCode error() {
    return error;
  }

  /** Whether another attempt can do no better, because the partitions are not this member's. */
  boolean isLost() {
    return switch (error) {
      case UNKNOWN_TOPIC,
          UNKNOWN_MEMBER,
          NOT_OWNER,
          ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          FENCED_INSTANCE ->
          true;
      default -> false;
    };
  }
}
