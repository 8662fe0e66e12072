package io.minikafka.bench;

import io.minikafka.client.Ack;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Durability;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.SendCallback;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends records through the Java client, as an application does: a record at a time, encoded and
 * batched by the client, as fast as it takes them.
 */
final class ApiProduce implements Load {
  /** A batch goes when it is full; only the last one of a repetition is sent by {@code flush}. */
  private static final int LINGER_MS = 1000;

  private static final int LEAST_BUFFERED_BYTES = 16 << 10;

  private final Producer producer;
  private final ProducerRecord record;
  private final ProduceShape shape;
  private final Outcome outcome = new Outcome();

  ApiProduce(ClientSettings client, Lane lane, ProduceShape shape) {
    this.shape = shape;
    this.producer = Producer.open(settings(client, shape));
    this.record =
        ProducerRecord.of(lane.topic(), RecordValues.value(shape.recordBytes()))
            .inPartition(lane.partition());
  }

  /** Batches of exactly the size that is measured. */
  static ProducerSettings settings(ClientSettings client, ProduceShape shape) {
    long batchBytes = RecordValues.entryBytes(shape.recordBytes()) * shape.batchRecords();
    return ProducerSettings.builder(client)
        .batchRecords(shape.batchRecords())
        .batchBytes(Math.toIntExact(batchBytes))
        .lingerMs(shape.batchRecords() == 1 ? 0 : LINGER_MS)
        .maxInFlight(shape.inFlight())
        .maxBufferedBytes(Math.toIntExact(bufferedBytes(shape)))
        .build();
  }

  /**
   * Besides what is under way, as much again, and what is being filled: the connection never waits
   * for a batch, and what is left to be sent at the end of a repetition is little.
   */
  static long bufferedBytes(ProduceShape shape) {
    long batchBytes = RecordValues.entryBytes(shape.recordBytes()) * shape.batchRecords();
    return Math.max(LEAST_BUFFERED_BYTES, batchBytes * (2L * shape.inFlight() + 2));
  }

  @Override
  public Work run(Limit limit) throws IOException, InterruptedException {
    long began = System.nanoTime();
    long batches = 0;
    while (batches == 0
        || !limit.isReached(began, System.nanoTime(), batches * shape.frameBytes())) {
      for (int i = 0; i < shape.batchRecords(); i++) {
        producer.send(record, outcome);
      }
      batches++;
    }
    producer.flush();
    outcome.check();
    long records = batches * shape.batchRecords();
    return new Work(
        records,
        records * shape.recordBytes(),
        batches * shape.frameBytes(),
        System.nanoTime() - began);
  }

  @Override
  public String durability() {
    return outcome.durability();
  }

  @Override
  public void close() {
    producer.close();
  }

  /** Hears of every record, on the client's thread. */
  private static final class Outcome implements SendCallback {
    private final AtomicReference<MinikafkaException> failure = new AtomicReference<>();
    private volatile Durability reached = Durability.TOPIC_POLICY;

    @Override
    public void acknowledged(Ack ack) {
      if (reached != ack.durability()) {
        reached = ack.durability();
      }
    }

    @Override
    public void failed(MinikafkaException why) {
      failure.compareAndSet(null, why);
    }

    void check() throws IOException {
      MinikafkaException why = failure.get();
      if (why != null) {
        throw new IOException("a record was not acknowledged: " + why.getMessage(), why);
      }
    }

    String durability() {
      return Durabilities.text(reached);
    }
  }
}
