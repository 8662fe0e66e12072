package io.minikafka.bench;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** A pipe through Kafka's clients; {@code linger.ms} is 0. */
final class KafkaPipe implements Pipe {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int FETCH_BYTES = 1 << 20;

  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicPartition partition;

  KafkaPipe(KafkaClients clients, String topic, ProduceShape shape) {
    this.producer = clients.pipe(shape);
    this.consumer = clients.consumer(FETCH_BYTES);
    this.partition = new TopicPartition(topic, 0);
  }

  @Override
  public void open() {
    consumer.assign(List.of(partition));
    consumer.seekToEnd(List.of(partition));
    consumer.position(partition);
    producer.partitionsFor(partition.topic());
  }

  @Override
  public void send(byte[] value, Answer answer) {
    producer.send(
        new ProducerRecord<>(partition.topic(), partition.partition(), null, value),
        (metadata, why) -> {
          if (why == null) {
            answer.acknowledged();
          } else {
            answer.failed(why);
          }
        });
  }

  @Override
  public void flush() {
    producer.flush();
  }

  @Override
  public boolean poll(Consumer<ByteBuffer> values) {
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        values.accept(ByteBuffer.wrap(record.value()));
      }
      return true;
    } catch (WakeupException e) {
      return false;
    }
  }

  @Override
  public void wakeup() {
    consumer.wakeup();
  }

  @Override
  public String durability() {
    return "";
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
