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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** A pipe through the Java client. */
final class ClientPipe implements Pipe {
  /** A batch goes when it is full, and all of its records are sent at once. */
  private static final int LINGER_MS = 1000;

  private static final Duration POLL = Duration.ofSeconds(1);

  private final Producer producer;
  private final Consumer consumer;
  private final Lane lane;
  private volatile Durability reached = Durability.TOPIC_POLICY;

  ClientPipe(ClientSettings client, Lane lane, ProducerSettings producer) {
    this.lane = lane;
    this.consumer = Consumer.open(ConsumerSettings.builder(client).build());
    this.producer = Producer.open(producer);
  }

  /** Batches of exactly the shape's size. */
  static ClientPipe of(ClientSettings client, Lane lane, ProduceShape shape) {
    return new ClientPipe(
        client,
        lane,
        ProducerSettings.builder(client)
            .batchRecords(shape.batchRecords())
            .lingerMs(shape.batchRecords() == 1 ? 0 : LINGER_MS)
            .maxInFlight(shape.inFlight())
            .build());
  }

  @Override
  public void open() {
    consumer.assign(List.of(lane.topicPartition()));
    consumer.position(lane.topicPartition());
    producer.partitionCount(lane.topic());
  }

  @Override
  public void send(byte[] value, Answer answer) {
    ProducerRecord record = ProducerRecord.of(lane.topic(), value).inPartition(lane.partition());
    producer.send(
        record,
        new SendCallback() {
          @Override
          public void acknowledged(Ack ack) {
            reached = ack.durability();
            answer.acknowledged();
          }

          @Override
          public void failed(MinikafkaException why) {
            answer.failed(why);
          }
        });
  }

  @Override
  public void flush() throws InterruptedException {
    producer.flush();
  }

  @Override
  public boolean poll(java.util.function.Consumer<ByteBuffer> values) {
    try {
      for (ConsumerRecord record : consumer.poll(POLL)) {
        values.accept(record.value().orElseThrow().buffer());
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
    return Durabilities.text(reached);
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
