package io.minikafka.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What {@link ApiConsume} does by hand, with Kafka's consumer. */
final class KafkaConsume implements Load {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final int MAX_EMPTY_POLLS = 100;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final int recordBytes;
  private final long endOffset;

  KafkaConsume(
      KafkaClients clients, String topic, int fetchBytes, int recordBytes, long endOffset) {
    this.consumer = clients.consumer(fetchBytes);
    this.partition = new TopicPartition(topic, 0);
    this.recordBytes = recordBytes;
    this.endOffset = endOffset;
    consumer.assign(List.of(partition));
  }

  @Override
  public Work run(Limit limit) throws IOException {
    consumer.seekToBeginning(List.of(partition));
    long began = System.nanoTime();
    long records = 0;
    int empty = 0;
    long entryBytes = RecordValues.entryBytes(recordBytes);
    while (records == 0 || !limit.isReached(began, System.nanoTime(), records * entryBytes)) {
      ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
      records += polled.count();
      empty = polled.isEmpty() ? empty + 1 : 0;
      if (empty > MAX_EMPTY_POLLS) {
        throw new IOException("polls bring no records");
      }
      if (consumer.position(partition) >= endOffset) {
        consumer.seekToBeginning(List.of(partition));
      }
    }
    return new Work(
        records, records * recordBytes, records * entryBytes, System.nanoTime() - began);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
