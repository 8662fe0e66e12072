package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConsumerTest {
  private static final TopicPartition T0 = new TopicPartition("t", 0);

  private static void fill(FakeServer server, int from, int to) throws Exception {
    try (Producer producer =
        Producer.open(ProducerSettings.builder(server.client().build()).batchRecords(7).build())) {
      for (int i = from; i < to; i++) {
        producer.send(
            ProducerRecord.of("t", ("r" + i).getBytes(StandardCharsets.UTF_8)).inPartition(0));
      }
      producer.flush();
    }
  }

  private static List<String> read(Consumer consumer, int count) {
    List<String> values = new ArrayList<>();
    while (values.size() < count) {
      for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(10))) {
        values.add(new String(record.value().orElseThrow().toArray(), StandardCharsets.UTF_8));
      }
    }
    return values;
  }

  private static List<String> expected(int from, int to) {
    List<String> values = new ArrayList<>();
    for (int i = from; i < to; i++) {
      values.add("r" + i);
    }
    return values;
  }

  @Test
  void whatWasProducedIsConsumedInOrder() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, 0, 100);
      try (Consumer consumer =
          Consumer.open(
              ConsumerSettings.builder(server.client().build()).partitionMaxBytes(300).build())) {
        consumer.assign(List.of(T0));

        assertEquals(expected(0, 100), read(consumer, 100));
        assertEquals(100, consumer.position(T0));
      }
    }
  }

  @Test
  void version0IsSpokenWithAServerThatKnowsNoMore() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1)) {
      fill(server, 0, 100);
      try (Consumer consumer =
          Consumer.open(
              ConsumerSettings.builder(server.client().build()).partitionMaxBytes(300).build())) {
        consumer.assign(List.of(T0));

        assertEquals(expected(0, 100), read(consumer, 100));
      }
    }
  }
}
