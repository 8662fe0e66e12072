package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends records, in batches, several batches at a time.
 *
 * <p>Any thread; the records of one partition go in the order their {@code send} calls began to
 * return. A producer owns one connection and three daemon threads until it is closed.
 *
 * <p><b>Partition.</b> The one the record names; else by its key, FNV-1a 32-bit (unsigned) modulo
 * the partition count; else as {@link ProducerSettings.Keyless} says. Partitions that are added are
 * noticed within {@code metadataMaxAgeMs} and one record, or when one is named; from then on a key
 * may go to another partition than before.
 *
 * <p><b>What an acknowledgement means.</b> The record is in the log, at that offset, as durable as
 * the {@link Ack} says.
 *
 * <p><b>Failures.</b> Nothing is ever sent twice. A batch the server refuses fails alone with a
 * {@link ServerException}; batches behind it may have been written, so the order is that of the
 * records that were acknowledged. When a batch was sent and its outcome is unknown (connection
 * lost, time run out) it fails with {@link UnknownOutcomeException}, and so does every later batch
 * of that partition that was sent; those not yet sent fail with {@link NotSentException}. All of
 * them fail in order, so an application that wants to send them again can do so in order. While
 * nothing of a partition is in flight a lost connection costs it nothing: what waits is sent after
 * reconnecting, for at most {@code outageMs}.
 *
 * <p><b>Bounds.</b> {@code maxBufferedBytes} of records; {@code maxInFlight} batches a partition.
 */
public final class Producer implements AutoCloseable {
  /** Builders kept for the next batches; each is about as large as a batch. */
  private static final int SPARE_BUILDERS = 32;

  private static final byte[] NO_BYTES = {};

  // Constant after construction.
  private final ProducerSettings settings;
  private final ClientRuntime runtime;
  private final Link link;
  private final Topics topics;
  private final ByteBudget budget;
  private final Owner owner = new Owner();
  private final Map<String, TopicQueues> queues = new ConcurrentHashMap<>();
  private final ArrayBlockingQueue<BatchBuilder> spare = new ArrayBlockingQueue<>(SPARE_BUILDERS);
  private final AtomicBoolean connecting = new AtomicBoolean();

  /** No call may begin any more. */
  private volatile boolean closed;

  /** No record may be taken any more, not even of calls that began before. */
  private volatile boolean ended;

  Producer(ProducerSettings settings, ClientRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.link = new Link(settings.client(), runtime);
    this.topics = new Topics(link);
    this.budget =
        new ByteBudget(
            settings.maxBufferedBytes(),
            settings.whenFull() == ProducerSettings.WhenFull.BLOCK,
            settings.maxBlockMs(),
            () -> allQueues().forEach(PartitionQueue::stopLingering));
  }

  /** Returns at once; the first record connects. */
  public static Producer open(ProducerSettings settings) {
    return new Producer(settings, ClientRuntime.real("minikafka-producer"));
  }

  /**
   * Takes a record. Blocks only for memory (if so configured) and for the first news of a topic.
   *
   * <p>Cancelling the future has no effect on the record.
   *
   * @return completed with the receipt, or exceptionally with a {@link MinikafkaException}
   * @throws IllegalStateException if the producer is closed
   * @throws IllegalArgumentException if the record's payload exceeds 16 MiB
   */
  public CompletableFuture<Ack> send(ProducerRecord record) {
    Receipt receipt = new Receipt();
    send(record, receipt);
    return receipt;
  }

  /**
   * Takes a record and calls back; costs one object less than the future.
   *
   * @throws IllegalStateException if the producer is closed
   * @throws IllegalArgumentException if the record's payload exceeds 16 MiB
   */
  public void send(ProducerRecord record, SendCallback callback) {
    if (closed) {
      throw new IllegalStateException("the producer is closed");
    }
    byte @Nullable [] value = record.rawValue();
    long bytes = BatchBuilder.entryBytes(record.rawKey(), value, record.headers());
    if (bytes - Entry.HEADER_BYTES > Entry.MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a record of %d payload bytes; the limit is %d"
              .formatted(bytes - Entry.HEADER_BYTES, Entry.MAX_PAYLOAD_BYTES));
    }
    try {
      TopicQueues target = queuesOf(record.topic(), record.partitionOrMinusOne());
      budget.take(bytes);
      if (!take(target, record, bytes, callback)) {
        budget.giveBack(bytes);
        throw new NotSentException("the producer was closed", null);
      }
    } catch (MinikafkaException e) {
      callback.failed(e);
    }
  }

  private boolean take(
      TopicQueues target, ProducerRecord record, long bytes, SendCallback callback) {
    TopicInfo topic = target.info();
    int partition =
        record.hasPartition()
            ? record.partitionOrMinusOne()
            : target.choose(record, topic.partitions());
    byte @Nullable [] key = record.rawKey();
    // Version 0 has no null key; its own clients send an empty one.
    if (key == null && topic.version() == 0) {
      key = NO_BYTES;
    }
    return target
        .queue(partition)
        .append(
            topic,
            record.timestampOr(runtime.clock().millis()),
            key,
            record.rawValue(),
            record.headers(),
            bytes,
            callback);
  }

  /** The topic's queues; asks the server if need be, also when the partition is not known. */
  private TopicQueues queuesOf(String topic, int partition) {
    TopicQueues known = queues.get(topic);
    if (known != null && !known.isStale() && partition < known.info().partitions()) {
      if (known.takeDue()) {
        askAgain(topic, known);
      }
      return known;
    }
    TopicInfo info = await(topic, known == null ? topics.info(topic) : topics.refresh(topic));
    if (partition >= info.partitions()) {
      throw info.noPartition(partition);
    }
    TopicQueues current = queues.computeIfAbsent(topic, name -> new TopicQueues(owner, info));
    current.learn(info);
    return current;
  }

  /** Nobody waits for it: until it is answered records go by what is known. */
  private void askAgain(String topic, TopicQueues known) {
    topics
        .refresh(topic)
        .whenComplete(
            (info, failure) -> {
              if (failure == null) {
                known.learn(info);
              } else {
                known.askAgainSoon();
              }
            });
  }

  private TopicInfo await(String topic, CompletableFuture<TopicInfo> future) {
    try {
      return future.get(settings.maxBlockMs(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (TimeoutException e) {
      throw new NotSentException(
          "nothing was learnt of topic %s within maxBlockMs %d"
              .formatted(topic, settings.maxBlockMs()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotSentException("interrupted while asking for topic " + topic, e);
    }
  }

  /**
   * Sends what is batched without waiting for linger, and waits until every record taken before the
   * call has been acknowledged or has failed. Says nothing about failures: the futures do.
   *
   * @throws InterruptedException if interrupted; the records go on
   */
  public void flush() throws InterruptedException {
    try {
      flushed().get();
    } catch (ExecutionException e) {
      throw new AssertionError("the end of a batch is no failure", e);
    }
  }

  private CompletableFuture<Void> flushed() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    allQueues().forEach(queue -> all.add(queue.flush()));
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private List<PartitionQueue> allQueues() {
    return queues.values().stream().flatMap(topic -> topic.all().stream()).toList();
  }

  /**
   * The number of partitions of a topic; asks the server if this producer has not yet.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public int partitionCount(String topic) {
    return queuesOf(topic, -1).info().partitions();
  }

  /** As {@link #close(Duration)} with {@code requestTimeoutMs}. */
  @Override
  public void close() {
    close(Duration.ofMillis(settings.client().requestTimeoutMs()));
  }

  /**
   * Takes no more records, sends what is there, waits for the answers, ends the threads. What has
   * no answer at the end of {@code timeout} fails, in order. Safe to call again. An interrupt cuts
   * the wait short and stays set. From a callback only with {@link Duration#ZERO}.
   */
  public void close(Duration timeout) {
    closed = true;
    try {
      flushed().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // What is left fails below.
    } catch (ExecutionException e) {
      throw new AssertionError("the end of a batch is no failure", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ended = true;
    NotSentException why = new NotSentException("the producer was closed", null);
    // First what was not sent, so that the end of the connection cannot send it.
    allQueues().forEach(queue -> queue.failWaiting(why));
    link.close();
    runtime.close();
  }

  private void connect() {
    if (!ended && connecting.compareAndSet(false, true)) {
      link.session()
          .whenComplete(
              (session, thrown) -> {
                connecting.set(false);
                if (session != null) {
                  allQueues().forEach(PartitionQueue::pump);
                } else if (thrown != null) {
                  MinikafkaException why = Failures.of(thrown);
                  allQueues().forEach(queue -> queue.failWaiting(why));
                }
              });
    }
  }

  /** What the queues see of their producer. */
  private final class Owner implements PartitionQueue.Owner {
    @Override
    public ProducerSettings settings() {
      return settings;
    }

    @Override
    public Timers timers() {
      return runtime.timers();
    }

    @Override
    public Optional<Session> session() {
      return link.current();
    }

    @Override
    public void wantSession() {
      connect();
    }

    @Override
    public BatchBuilder takeBuilder() {
      BatchBuilder builder = spare.poll();
      return builder == null ? new BatchBuilder(Math.min(settings.batchBytes(), 4 << 10)) : builder;
    }

    @Override
    public void delivered(ProducerBatch batch) {
      BatchBuilder builder = batch.builder();
      // One that grew for a giant is not kept.
      boolean ordinary = builder.entriesBytes() <= settings.batchBytes();
      builder.clear();
      if (ordinary) {
        spare.offer(builder);
      }
      budget.giveBack(batch.bytes());
    }

    @Override
    public void sealed(PartitionQueue queue) {
      TopicPartition partition = queue.partition();
      TopicQueues topic = queues.get(partition.topic());
      if (topic != null) {
        topic.sealed(partition.partition());
      }
    }

    @Override
    public void stale(TopicInfo topic) {
      topics.forget(topic.name());
      TopicQueues known = queues.get(topic.name());
      if (known != null) {
        known.doubt(topic);
      }
    }

    @Override
    public boolean hasEnded() {
      return ended;
    }
  }
}
