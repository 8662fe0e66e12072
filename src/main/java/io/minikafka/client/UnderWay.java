package io.minikafka.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one partition that were sent or settled, in the order of their records, until each
 * has been delivered; and what an answer, or the end of a connection, means for them.
 *
 * <p>Guarded by the lock of its {@link PartitionQueue}. All that are unanswered were sent on one
 * connection.
 */
final class UnderWay {
  private final ArrayDeque<ProducerBatch> batches = new ArrayDeque<>();
  private int unanswered;
  private @Nullable Connection connection;

  /**
   * What the end of a connection leaves.
   *
   * @param back batches of which no byte left, and those behind them, which are settled; in order,
   *     and not here any more
   * @param unknown the first whose outcome is unknown; what is behind it must not be sent
   */
  record Rest(List<ProducerBatch> back, Optional<UnknownOutcomeException> unknown) {}

  int unanswered() {
    return unanswered;
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Whether a batch sent there stays in order: the end of an older connection may yet be told. */
  boolean maySendOn(Connection next) {
    return unanswered == 0 || connection == next;
  }

  void addSent(ProducerBatch batch, Sent<ProduceReceipt> question, Connection on) {
    batch.sent(question);
    batches.add(batch);
    unanswered++;
    connection = on;
  }

  void addSettled(ProducerBatch batch) {
    batches.add(batch);
  }

  void acknowledged(ProducerBatch batch, ProduceReceipt receipt) {
    unanswered--;
    batch.settle(receipt);
  }

  /** The server refused; what it says may mean that the outcome is unknown all the same. */
  Optional<UnknownOutcomeException> refused(ProducerBatch batch, ServerException refusal) {
    unanswered--;
    return settle(batch, refusal);
  }

  /** Settles everything unanswered, or hands it back. */
  Rest connectionEnded(MinikafkaException why) {
    List<ProducerBatch> back = new ArrayList<>();
    Optional<UnknownOutcomeException> unknown = Optional.empty();
    for (ProducerBatch batch : batches) {
      Sent<ProduceReceipt> question = batch.sent();
      if (!batch.isSettled() && question != null) {
        Optional<UnknownOutcomeException> outcome = settle(batch, question, why);
        unknown = unknown.isPresent() ? unknown : outcome;
      }
      if (!batch.isSettled()) {
        batch.sent(null);
        back.add(batch);
      } else if (!back.isEmpty()) {
        // Told before what it is behind it would be out of its turn.
        back.add(batch);
      }
    }
    batches.removeAll(back);
    unanswered = 0;
    connection = null;
    return new Rest(back, unknown);
  }

  /** Settles a batch whose connection has ended, unless it can be sent again. */
  private static Optional<UnknownOutcomeException> settle(
      ProducerBatch batch, Sent<ProduceReceipt> question, MinikafkaException why) {
    if (question.answer().isDone() && !question.answer().isCompletedExceptionally()) {
      // Answered just before the end, and not yet told.
      batch.settle(question.answer().resultNow());
    } else if (question.answer().isDone()
        && Failures.of(question.answer().exceptionNow()) instanceof ServerException refusal) {
      return settle(batch, refusal);
    } else if (question.exchange().mayHaveBeenSent()) {
      return Optional.of(settleUnknown(batch, "was sent but not answered", why));
    } else if (batch.behind() instanceof UnknownOutcomeException earlier) {
      batch.settle(
          new NotSentException(
              PartitionQueue.NOT_SENT_BEHIND.formatted(batch.partition()), earlier));
    }
    return Optional.empty();
  }

  /**
   * The outcome of a batch is unknown, and what waited behind it fails: then so does what is under
   * way behind it, should it come back. Sent again it would be told behind what failed.
   */
  void nothingComesBackBehind(UnknownOutcomeException unknown) {
    for (ProducerBatch batch : batches) {
      if (!batch.isSettled()) {
        batch.behind(unknown);
      }
    }
  }

  /** The first, if it can be delivered; it is not here any more. */
  Optional<ProducerBatch> takeSettled() {
    ProducerBatch first = batches.peek();
    return first != null && first.isSettled() ? Optional.of(batches.remove()) : Optional.empty();
  }

  private static Optional<UnknownOutcomeException> settle(
      ProducerBatch batch, ServerException refusal) {
    switch (refusal.error()) {
      // The bytes may have been written before that happened.
      case INTERNAL_ERROR, STORAGE_FAILED -> {
        return Optional.of(settleUnknown(batch, "met a failure of the server", refusal));
      }
      default ->
          batch.settle(
              new ServerException(
                  refusal.error(), batch.partition() + ": " + refusal.getMessage()));
    }
    return Optional.empty();
  }

  private static UnknownOutcomeException settleUnknown(
      ProducerBatch batch, String what, MinikafkaException why) {
    UnknownOutcomeException unknown =
        new UnknownOutcomeException(
            "%s: a batch of %d records %s; it may be in the log: %s"
                .formatted(batch.partition(), batch.count(), what, why.getMessage()),
            why);
    batch.settle(unknown);
    return unknown;
  }
}
