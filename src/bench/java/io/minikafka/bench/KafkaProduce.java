package io.minikafka.bench;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What {@link ApiProduce} does, with Kafka's producer. */
final class KafkaProduce implements Load {
  private static final int LINGER_MS = 1000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final ProducerRecord<byte[], byte[]> record;
  private final ProduceShape shape;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Callback callback;

  KafkaProduce(KafkaClients clients, String topic, int partition, ProduceShape shape) {
    this.shape = shape;
    this.producer = clients.producer(shape, lingerMs(shape), ApiProduce.bufferedBytes(shape));
    this.record =
        new ProducerRecord<>(topic, partition, null, RecordValues.value(shape.recordBytes()));
    this.callback =
        (metadata, why) -> {
          if (why != null) {
            failure.compareAndSet(null, why);
          }
        };
  }

  static int lingerMs(ProduceShape shape) {
    return shape.batchRecords() == 1 ? 0 : LINGER_MS;
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long batches = 0;
    while (batches == 0
        || !limit.isReached(began, System.nanoTime(), batches * shape.frameBytes())) {
      for (int i = 0; i < shape.batchRecords(); i++) {
        producer.send(record, callback);
      }
      batches++;
    }
    producer.flush();
    Exception why = failure.get();
    if (why != null) {
      throw new IOException("a record was not acknowledged: " + why.getMessage(), why);
    }
    long records = batches * shape.batchRecords();
    return new Work(
        records,
        records * shape.recordBytes(),
        batches * shape.frameBytes(),
        System.nanoTime() - began);
  }

  @Override
  public void close() {
    producer.close();
  }
}
