package io.minikafka.bench;

import io.minikafka.client.Ack;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Durability;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.SendCallback;
import io.minikafka.client.WakeupException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * End to end: records go out on a {@link Schedule}, each carrying the time at which it was due and
 * the time at which it was sent; a consumer in the same process, which waits in long polls, takes
 * the time at which it has them. Made for one run; one thread calls.
 */
final class LatencyRun implements AutoCloseable {
  /** Two times stand at the begin of a value. */
  static final int LEAST_RECORD_BYTES = 2 * Long.BYTES;

  /** A thread that sleeps wakes later than this; the rest it yields. */
  private static final long SLEEP_MARGIN_NANOS = 80_000;

  private static final long LAST_RECORD_LIMIT_NANOS = 60_000_000_000L;
  private static final int LINGER_MS = 1000;

  private final Consumer consumer;
  private final Producer producer;
  private final Lane lane;
  private final ProduceShape shape;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Latencies scheduled = new Latencies();
  private final Latencies sent = new Latencies();

  /** Written by the producer's thread alone until it is closed. */
  private final Latencies acknowledged = new Latencies();

  private volatile Durability reached = Durability.TOPIC_POLICY;
  private volatile long received;
  private volatile long measuredFromNanos = Long.MAX_VALUE;

  LatencyRun(ClientSettings client, Lane lane, ProduceShape shape) {
    this.lane = lane;
    this.shape = shape;
    this.consumer = Consumer.open(ConsumerSettings.builder(client).build());
    this.producer =
        Producer.open(
            ProducerSettings.builder(client)
                .batchRecords(shape.batchRecords())
                .lingerMs(shape.batchRecords() == 1 ? 0 : LINGER_MS)
                .maxInFlight(shape.inFlight())
                .build());
  }

  /**
   * Sends for a while to warm up, then for the time that is measured, without a pause between.
   *
   * @return what was measured; its nanos are the schedule's
   */
  Work run(int recordsPerSecond, long warmUpNanos, long nanos)
      throws IOException, InterruptedException {
    consumer.assign(List.of(lane.topicPartition()));
    consumer.position(lane.topicPartition());
    producer.partitionCount(lane.topic());
    Thread reader = Thread.ofPlatform().daemon().name("bench-reader").start(this::read);
    try {
      long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
      Schedule all =
          Schedule.of(begin, recordsPerSecond, shape.batchRecords(), warmUpNanos + nanos);
      measuredFromNanos = begin + warmUpNanos;
      all.run(System::nanoTime, LatencyRun::waitUntil, this::send);
      producer.flush();
      awaitRecords(all.sends() * shape.batchRecords());
    } finally {
      consumer.wakeup();
      reader.join();
    }
    check();
    return new Work(
        scheduled.count(),
        scheduled.count() * shape.recordBytes(),
        scheduled.count() / shape.batchRecords() * shape.frameBytes(),
        nanos);
  }

  private void send(long send, long dueNanos, long sentNanos) {
    byte[] value = new byte[shape.recordBytes()];
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putLong(dueNanos).putLong(sentNanos);
    ProducerRecord record = ProducerRecord.of(lane.topic(), value).inPartition(lane.partition());
    SendCallback callback = new Acknowledged(dueNanos, sentNanos);
    for (int i = 0; i < shape.batchRecords(); i++) {
      producer.send(record, callback);
    }
  }

  private void read() {
    try {
      while (true) {
        for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(1))) {
          ByteBuffer value = record.value().orElseThrow().buffer();
          take(value, System.nanoTime());
        }
      }
    } catch (WakeupException e) {
      // The end.
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // This thread alone writes it.
  private void take(ByteBuffer value, long nowNanos) {
    long due = value.getLong();
    if (due - measuredFromNanos >= 0) {
      scheduled.add(nowNanos - due);
      sent.add(nowNanos - value.getLong());
    }
    received++;
  }

  private void awaitRecords(long count) throws IOException {
    long deadline = System.nanoTime() + LAST_RECORD_LIMIT_NANOS;
    while (received < count && failure.get() == null) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("%d of %d records came back".formatted(received, count));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void check() throws IOException {
    Throwable why = failure.get();
    if (why != null) {
      throw new IOException("latency could not be measured: " + why.getMessage(), why);
    }
  }

  private static void waitUntil(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      if (left > SLEEP_MARGIN_NANOS) {
        LockSupport.parkNanos(left - SLEEP_MARGIN_NANOS);
      } else {
        Thread.yield();
      }
      left = nanos - System.nanoTime();
    }
  }

  Latencies scheduled() {
    return scheduled;
  }

  Latencies sent() {
    return sent;
  }

  /** After {@link #close} only. */
  Latencies acknowledged() {
    return acknowledged;
  }

  String durability() {
    return Durabilities.text(reached);
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }

  private final class Acknowledged implements SendCallback {
    private final long dueNanos;
    private final long sentNanos;

    Acknowledged(long dueNanos, long sentNanos) {
      this.dueNanos = dueNanos;
      this.sentNanos = sentNanos;
    }

    @Override
    public void acknowledged(Ack ack) {
      if (dueNanos - measuredFromNanos >= 0) {
        acknowledged.add(System.nanoTime() - sentNanos);
      }
      reached = ack.durability();
    }

    @Override
    public void failed(MinikafkaException why) {
      failure.compareAndSet(null, why);
    }
  }
}
