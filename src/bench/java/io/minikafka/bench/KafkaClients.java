package io.minikafka.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's clients, set as the Java client of the same point is: as many bytes in a batch, as many
 * batches under way, the same wait for a full batch, the same fetches.
 */
final class KafkaClients {
  /** The default of both clients: where a schedule sends, nothing should wait for memory. */
  private static final long DEFAULT_BUFFER_BYTES = 32L << 20;

  /** Kafka's default. */
  static final int PIPE_BATCH_BYTES = 16 << 10;

  private final String bootstrap;

  KafkaClients(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  /** What a producer of this shape is told. */
  static Map<String, Object> producerSettings(ProduceShape shape, int lingerMs, long bufferBytes) {
    long batchBytes = RecordValues.entryBytes(shape.recordBytes()) * shape.batchRecords();
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // The Java client of minikafka keeps no sequences either.
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    settings.put(
        ProducerConfig.BATCH_SIZE_CONFIG, shape.batchRecords() == 1 ? 0 : (int) batchBytes);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, lingerMs);
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, shape.inFlight());
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 32 << 20);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
    return settings;
  }

  /**
   * Where a schedule sends: nothing waits for a batch, and none is larger than {@code batch.size}.
   */
  static Map<String, Object> pipeSettings(ProduceShape shape) {
    Map<String, Object> settings = producerSettings(shape, 0, DEFAULT_BUFFER_BYTES);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, PIPE_BATCH_BYTES);
    return settings;
  }

  static Map<String, Object> consumerSettings(int fetchBytes) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, fetchBytes);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, fetchBytes);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.MAX_VALUE);
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    settings.put(ConsumerConfig.CHECK_CRCS_CONFIG, true);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return settings;
  }

  static Map<String, String> topicSettings(Policy policy) {
    return policy == Policy.COMMIT ? Map.of("flush.messages", "1") : Map.of();
  }

  KafkaProducer<byte[], byte[]> producer(ProduceShape shape, int lingerMs, long bufferBytes) {
    return producer(producerSettings(shape, lingerMs, bufferBytes));
  }

  /** A producer for a pipe. */
  KafkaProducer<byte[], byte[]> pipe(ProduceShape shape) {
    return producer(pipeSettings(shape));
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  KafkaConsumer<byte[], byte[]> consumer(int fetchBytes) {
    Map<String, Object> settings = consumerSettings(fetchBytes);
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  void create(String topic, int partitions, Policy policy)
      throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      NewTopic made = new NewTopic(topic, partitions, (short) 1).configs(topicSettings(policy));
      admin.createTopics(List.of(made)).all().get();
    }
  }

  void delete(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }
}
