package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java client against the real broker. */
@Timeout(120)
class ClientIT {
  private static final int PRODUCERS = 6;
  private static final int RECORDS = 3_000;

  @TempDir Path dir;
  private BrokerProcess broker;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private ClientSettings client() {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }

  private void createTopic(String name, int partitions) {
    try (Admin admin = Admin.open(client())) {
      admin.createTopic(name, partitions, Map.of());
    }
  }

  private List<ConsumerRecord> read(Consumer consumer, int count) {
    List<ConsumerRecord> records = new ArrayList<>();
    while (records.size() < count) {
      records.addAll(consumer.poll(Duration.ofSeconds(30)));
    }
    return records;
  }

  @Test
  void sixProducersIntoOnePartitionLeaveDenseOffsetsAndEachItsOrder() {
    createTopic("t", 1);
    int[] batchRecords = {1, 7, 50, 100, 333, 1_000};
    List<CompletableFuture<List<Ack>>> producers = new ArrayList<>();

    for (int i = 0; i < PRODUCERS; i++) {
      int id = i;
      producers.add(CompletableFuture.supplyAsync(() -> produce(id, batchRecords[id])));
    }

    Set<Long> acknowledged = new HashSet<>();
    for (CompletableFuture<List<Ack>> producer : producers) {
      List<Long> offsets = producer.join().stream().map(Ack::offset).toList();
      assertEquals(offsets.stream().sorted().toList(), offsets, "a producer's own order");
      acknowledged.addAll(offsets);
    }
    int total = PRODUCERS * RECORDS;
    assertEquals(total, acknowledged.size());
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client()).build())) {
      consumer.assign(List.of(new TopicPartition("t", 0)));
      Map<Integer, Integer> next = new HashMap<>();
      long offset = 0;
      for (ConsumerRecord record : read(consumer, total)) {
        assertEquals(offset++, record.offset());
        ByteBuffer value = record.value().orElseThrow().buffer();
        int producer = value.getInt();
        assertEquals(next.merge(producer, 1, Integer::sum) - 1, value.getInt());
      }
      assertEquals(total, offset);
    }
  }

  private List<Ack> produce(int id, int batchRecords) {
    ProducerSettings settings =
        ProducerSettings.builder(client()).batchRecords(batchRecords).lingerMs(1).build();
    try (Producer producer = Producer.open(settings)) {
      List<CompletableFuture<Ack>> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        byte[] value =
            ByteBuffer.allocate(8)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .putInt(id)
                .putInt(i)
                .array();
        sent.add(producer.send(ProducerRecord.of("t", value)));
      }
      return sent.stream().map(CompletableFuture::join).toList();
    }
  }

  @Test
  void aKeyStaysInItsPartitionForEveryProducer() {
    createTopic("t", 5);
    Map<String, Set<Integer>> partitions = new HashMap<>();

    for (int round = 0; round < 3; round++) {
      try (Producer producer = Producer.open(ProducerSettings.builder(client()).build())) {
        for (int i = 0; i < 100; i++) {
          byte[] key = ("key-" + i).getBytes(StandardCharsets.UTF_8);
          Ack ack = producer.send(ProducerRecord.of("t", key, new byte[1])).join();
          partitions
              .computeIfAbsent("key-" + i, name -> new HashSet<>())
              .add(ack.partition().partition());
        }
      }
    }

    partitions.forEach((key, where) -> assertEquals(1, where.size(), key));
    Set<Integer> used = new HashSet<>();
    partitions.values().forEach(used::addAll);
    assertEquals(Set.of(0, 1, 2, 3, 4), used);
  }

  @Test
  void bothSidesGoOnAfterARestartOfTheBroker() throws Exception {
    createTopic("t", 1);
    TopicPartition t0 = new TopicPartition("t", 0);
    try (Producer producer = Producer.open(ProducerSettings.builder(client()).build());
        Consumer consumer = Consumer.open(ConsumerSettings.builder(client()).build())) {
      consumer.assign(List.of(t0));
      send(producer, 0, 1_000);
      assertEquals(1_000, read(consumer, 1_000).size());

      int exitCode = broker.terminate();
      broker = broker.restart(dir.resolve("data"));

      assertTrue(exitCode == 0 || exitCode == 143, "exit " + exitCode);
      send(producer, 1_000, 2_000);
      List<Long> offsets = read(consumer, 1_000).stream().map(ConsumerRecord::offset).toList();
      assertEquals(IntStream.range(1_000, 2_000).mapToObj(i -> (long) i).toList(), offsets);
    }
  }

  private static void send(Producer producer, int from, int until) {
    List<CompletableFuture<Ack>> sent = new ArrayList<>();
    for (int i = from; i < until; i++) {
      sent.add(producer.send(ProducerRecord.of("t", new byte[] {(byte) i})));
    }
    for (int i = from; i < until; i++) {
      assertEquals(i, sent.get(i - from).join().offset());
    }
  }
}
