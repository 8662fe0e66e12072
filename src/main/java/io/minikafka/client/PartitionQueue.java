package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.Header;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one partition between {@code send} and their callbacks, in the order of the
 * records all the way.
 *
 * <p>A batch is filled ({@link #append}), sealed, sent ({@link #pump}) and settled ({@link
 * #answered}); callbacks run in batch order without the lock, one thread at a time ({@link
 * #deliver}). What may be sent twice never is: only a batch of which no byte can have left goes
 * back to the sealed ones when a connection ends, and only if none before it has an unknown
 * outcome; else it and all behind it fail.
 *
 * <p>Any thread. Nothing blocks but callbacks.
 */
final class PartitionQueue {
  /** What the queue needs of its producer. */
  interface Owner {
    ProducerSettings settings();

    Timers timers();

    Optional<Session> session();

    /** There is something to send and no session: {@link #pump} is to be called when there is. */
    void wantSession();

    BatchBuilder takeBuilder();

    /** The batch has been told to its callbacks. */
    void delivered(ProducerBatch batch);

    /** A batch was sealed: keyless records may move on. */
    void sealed(PartitionQueue queue);

    /** The server does not know the topic as this producer does. */
    void stale(TopicInfo topic);

    /** Whether no record may be taken any more. */
    boolean hasEnded();
  }

  /** What is told of a batch, with its partition, whose order could not be kept otherwise. */
  static final String NOT_SENT_BEHIND =
      "%s: not sent, to keep the order: the outcome of an earlier batch is unknown";

  // Constant after construction.
  private final Owner owner;
  private final TopicPartition partition;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private @Nullable ProducerBatch open;
  private Timers.@Nullable Timer linger;

  /** To be sent; behind what came back also such as are settled, and only to be told. */
  private final ArrayDeque<ProducerBatch> sealed = new ArrayDeque<>();

  private final UnderWay underWay = new UnderWay();
  private boolean delivering;
  private @Nullable ProducerBatch newest;

  PartitionQueue(Owner owner, TopicPartition partition) {
    this.owner = owner;
    this.partition = partition;
  }

  TopicPartition partition() {
    return partition;
  }

  /**
   * Takes a record for which the budget has been charged.
   *
   * @return false if the producer has ended
   */
  boolean append(
      TopicInfo topic,
      long timestamp,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers,
      long bytes,
      SendCallback callback) {
    boolean sendNow;
    lock.lock();
    try {
      if (owner.hasEnded()) {
        return false;
      }
      ProducerBatch batch = open;
      if (batch != null
          && (!batch.topic().equals(topic)
              || batch.entriesBytes() + bytes > owner.settings().batchBytes())) {
        seal();
        batch = null;
      }
      if (batch == null) {
        batch = openBatch(topic);
      }
      batch.append(timestamp, key, value, headers, bytes, callback);
      if (batch.count() >= owner.settings().batchRecords()
          || batch.entriesBytes() >= owner.settings().batchBytes()
          || isIdleWithoutLinger()) {
        seal();
      }
      sendNow = !sealed.isEmpty() && underWay.unanswered() < owner.settings().maxInFlight();
    } finally {
      lock.unlock();
    }
    if (sendNow) {
      pump();
    }
    return true;
  }

  /** Seals what is open and sends it; the future completes when all taken so far is delivered. */
  CompletableFuture<Void> flush() {
    CompletableFuture<Void> last;
    lock.lock();
    try {
      seal();
      last = newest == null ? CompletableFuture.completedFuture(null) : newest.delivered();
    } finally {
      lock.unlock();
    }
    pump();
    return last;
  }

  /** Memory is short: what does nothing but linger goes now. */
  void stopLingering() {
    lock.lock();
    try {
      if (sealed.isEmpty() && underWay.isEmpty()) {
        seal();
      }
    } finally {
      lock.unlock();
    }
    pump();
  }

  /** Sends as much as may be under way; asks for a session if there is none. */
  void pump() {
    while (true) {
      ProducerBatch batch;
      Sent<ProduceReceipt> sent;
      lock.lock();
      try {
        if (sealed.isEmpty() || underWay.unanswered() >= owner.settings().maxInFlight()) {
          return;
        }
        Session session = owner.session().orElse(null);
        if (session == null) {
          break;
        }
        if (!underWay.maySendOn(session.connection())) {
          return;
        }
        batch = sealed.remove();
        if (!batch.isSettled()) {
          settleIfItCannotBeSaid(batch, session.dialect());
        }
        if (batch.isSettled()) {
          underWay.addSettled(batch);
          sent = null;
        } else {
          sent =
              session
                  .dialect()
                  .produce(
                      batch,
                      owner.settings().durability(),
                      owner.settings().client().requestTimeoutMs());
          if (sent.answer().isCompletedExceptionally() && !sent.exchange().mayHaveBeenSent()) {
            sealed.addFirst(batch);
            break;
          }
          underWay.addSent(batch, sent, session.connection());
        }
      } finally {
        lock.unlock();
      }
      if (sent == null) {
        deliver();
      } else {
        Sent<ProduceReceipt> question = sent;
        question
            .answer()
            .whenComplete((receipt, thrown) -> answered(batch, question, receipt, thrown));
      }
    }
    owner.wantSession();
  }

  /** Either a record cannot be said in this version, or the topic was learnt in another. */
  private void settleIfItCannotBeSaid(ProducerBatch batch, Dialect dialect) {
    dialect
        .objection(batch)
        .ifPresent(
            objection -> {
              owner.stale(batch.topic());
              batch.settle(new UnsupportedByServerException(objection, null));
            });
  }

  /** Fails what has not been sent. */
  void failWaiting(MinikafkaException cause) {
    lock.lock();
    try {
      failUnsent("never sent: " + cause.getMessage(), cause);
    } finally {
      lock.unlock();
    }
    deliver();
  }

  private boolean isIdleWithoutLinger() {
    return owner.settings().lingerMs() == 0 && underWay.unanswered() == 0 && sealed.isEmpty();
  }

  private ProducerBatch openBatch(TopicInfo topic) {
    ProducerBatch batch = new ProducerBatch(topic, partition, owner.takeBuilder());
    open = batch;
    newest = batch;
    int lingerMs = owner.settings().lingerMs();
    if (lingerMs > 0) {
      linger = owner.timers().after(lingerMs * 1_000_000L, () -> lingered(batch));
    }
    return batch;
  }

  private void lingered(ProducerBatch batch) {
    lock.lock();
    try {
      if (open == batch) {
        seal();
      }
    } finally {
      lock.unlock();
    }
    pump();
  }

  private void seal() {
    ProducerBatch batch = open;
    if (batch == null) {
      return;
    }
    open = null;
    if (linger != null) {
      linger.cancel();
      linger = null;
    }
    sealed.add(batch);
    owner.sealed(this);
  }

  private void answered(
      ProducerBatch batch,
      Sent<ProduceReceipt> question,
      @Nullable ProduceReceipt receipt,
      @Nullable Throwable thrown) {
    lock.lock();
    try {
      if (batch.isSettled() || batch.sent() != question) {
        return;
      }
      if (receipt != null) {
        underWay.acknowledged(batch, receipt);
      } else if (thrown != null && Failures.of(thrown) instanceof ServerException refusal) {
        if (refusal.error() == ErrorCode.UNKNOWN_TOPIC || refusal.error() == ErrorCode.NOT_LEADER) {
          owner.stale(batch.topic());
        }
        underWay.refused(batch, refusal).ifPresent(this::failBehind);
      } else {
        connectionEnded(
            thrown == null ? new ConnectionException("no answer", null) : Failures.of(thrown));
      }
      if (isIdleWithoutLinger()) {
        seal();
      }
    } finally {
      lock.unlock();
    }
    pump();
    deliver();
  }

  private void connectionEnded(MinikafkaException why) {
    UnderWay.Rest rest = underWay.connectionEnded(why);
    rest.back().reversed().forEach(sealed::addFirst);
    rest.unknown().ifPresent(this::failBehind);
  }

  private void failBehind(UnknownOutcomeException unknown) {
    underWay.nothingComesBackBehind(unknown);
    failUnsent(NOT_SENT_BEHIND.formatted(partition), unknown);
  }

  private void failUnsent(String message, MinikafkaException cause) {
    seal();
    while (!sealed.isEmpty()) {
      ProducerBatch batch = sealed.remove();
      if (!batch.isSettled()) {
        batch.settle(new NotSentException(message, cause));
      }
      underWay.addSettled(batch);
    }
  }

  /** Tells callbacks as far as batches are settled; returns at once if another thread does. */
  private void deliver() {
    while (true) {
      ProducerBatch batch;
      lock.lock();
      try {
        batch = delivering ? null : underWay.takeSettled().orElse(null);
        if (batch == null) {
          return;
        }
        delivering = true;
      } finally {
        lock.unlock();
      }
      batch.deliver();
      lock.lock();
      try {
        delivering = false;
        if (newest == batch) {
          newest = null;
        }
      } finally {
        lock.unlock();
      }
      owner.delivered(batch);
      batch.delivered().complete(null);
    }
  }
}
