package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerTest {
  private static ProducerRecord record(String value) {
    return ProducerRecord.of("t", value.getBytes(StandardCharsets.UTF_8));
  }

  private static Ack get(CompletableFuture<Ack> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aRecordIsAcknowledgedWithItsReceipt() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            Producer.open(ProducerSettings.builder(server.client().build()).build())) {
      producer.send(record("before")).get(20, TimeUnit.SECONDS);

      Ack ack = get(producer.send(record("x").at(5)));

      assertEquals(new Ack(new TopicPartition("t", 0), 1, 5, 1_001, Durability.FLUSHED, 2), ack);
    }
  }

  @Test
  void version0IsSpokenWithAServerThatKnowsNoMore() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        Producer producer =
            Producer.open(ProducerSettings.builder(server.client().build()).build())) {

      Ack ack = get(producer.send(record("x").at(5)));

      assertEquals(new Ack(new TopicPartition("t", 0), 0, 5, -1, Durability.TOPIC_POLICY, 0), ack);
    }
  }

  @Test
  void offsetsOfABatchCountUpFromItsBase() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            Producer.open(
                ProducerSettings.builder(server.client().build())
                    .lingerMs(10_000)
                    .batchRecords(100)
                    .build())) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();
      for (int i = 0; i < 250; i++) {
        futures.add(producer.send(record("r" + i)));
      }

      producer.flush();

      for (int i = 0; i < 250; i++) {
        assertEquals(i, futures.get(i).getNow(null).offset());
      }
      assertEquals(3, server.received(Api.PRODUCE).size());
    }
  }

  @Test
  void anUnknownTopicFailsTheRecord() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Producer producer =
            Producer.open(ProducerSettings.builder(server.client().build()).build())) {

      CompletableFuture<Ack> future = producer.send(record("x"));

      Exception e = assertThrows(Exception.class, () -> get(future));
      assertEquals(
          ErrorCode.UNKNOWN_TOPIC,
          ((ServerException) Objects.requireNonNull(e.getCause())).error());
    }
  }
}
