package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;

import io.minikafka.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Numbered records: written through a producer, read through a consumer. */
final class Reading {
  static final TopicPartition T0 = new TopicPartition("t", 0);
  static final TopicPartition T1 = new TopicPartition("t", 1);

  private Reading() {}

  /** Writes r{from} … r{to − 1}, seven to a batch. */
  static void fill(FakeServer server, TopicPartition to, int from, int until) throws Exception {
    try (Producer producer = Clients.producer(server, s -> s.batchRecords(7).lingerMs(600_000))) {
      for (String value : named(from, until)) {
        producer.send(ProducerRecord.of(to.topic(), bytes(value)).inPartition(to.partition()));
      }
      producer.flush();
    }
  }

  static List<String> named(int from, int until) {
    return IntStream.range(from, until).mapToObj(i -> "r" + i).toList();
  }

  /** Polls until so many records came. */
  static List<String> read(Consumer consumer, int count) {
    List<String> values = new ArrayList<>();
    while (values.size() < count) {
      for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(10))) {
        values.add(value(record));
      }
    }
    return values;
  }

  static String value(ConsumerRecord record) {
    return new String(record.value().orElseThrow().toArray(), StandardCharsets.UTF_8);
  }
}
