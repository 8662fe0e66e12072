package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;
import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static io.minikafka.client.Reading.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.record.Header;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConsumerTest {
  @Test
  void whatWasProducedIsConsumedInOrder() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.partitionMaxBytes(300))) {
      fill(server, T0, 0, 100);
      consumer.assign(List.of(T0));

      assertEquals(named(0, 100), read(consumer, 100));
      assertEquals(100, consumer.position(T0));
      assertEquals(OptionalLong.of(100), consumer.highWatermark(T0));
    }
  }

  @Test
  void version0IsSpokenWithAServerThatKnowsNoMore() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.partitionMaxBytes(300))) {
      fill(server, T0, 0, 100);
      consumer.assign(List.of(T0));

      assertEquals(named(0, 100), read(consumer, 100));
      assertEquals(0, server.received(Api.FETCH).getFirst().call().version());
    }
  }

  @Test
  void everyPartOfARecordComesBackAsItWasSent() throws Exception {
    List<Header> headers =
        List.of(
            Header.of("h", bytes("1")),
            new Header("", Optional.empty()),
            Header.of("h", new byte[0]));
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = Clients.producer(server);
        Consumer consumer = consumer(server)) {
      producer
          .send(ProducerRecord.of("t", bytes("k"), bytes("v")).at(7).withHeaders(headers))
          .join();
      producer.send(ProducerRecord.tombstone("t", new byte[0])).join();
      producer.send(ProducerRecord.of("t", new byte[0])).join();
      consumer.assign(List.of(T0));
      List<ConsumerRecord> records = new ArrayList<>();

      while (records.size() < 3) {
        records.addAll(consumer.poll(Duration.ofSeconds(10)));
      }

      ConsumerRecord first = records.get(0);
      assertEquals(
          List.of("t", 0, 0L, 7L),
          List.of(first.topic(), first.partition(), first.offset(), first.timestamp()));
      assertEquals(Optional.of(Bytes.of(bytes("k"))), first.key());
      assertEquals(Optional.of(Bytes.of(bytes("v"))), first.value());
      assertEquals(headers, first.headers());
      assertEquals(Optional.of(Bytes.EMPTY), records.get(1).key());
      assertEquals(Optional.empty(), records.get(1).value());
      assertEquals(Optional.empty(), records.get(2).key());
      assertEquals(Optional.of(Bytes.EMPTY), records.get(2).value());
    }
  }

  @Test
  void allPartitionsAreAskedForInOneFetch() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 5);
      fill(server, T1, 5, 10);
      consumer.assign(List.of(T0, T1));

      assertEquals(Set.copyOf(named(0, 10)), Set.copyOf(read(consumer, 10)));
      Fetch.Request first = server.received(Api.FETCH).getFirst().as(Fetch.Request.class);
      assertEquals(2, first.partitions().size());
      assertEquals(List.of(5L, 5L), List.of(consumer.position(T0), consumer.position(T1)));
    }
  }

  @Test
  void aPollReturnsAtMostSoManyAndTheRestLaterWithoutAsking() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.maxPollRecords(4))) {
      fill(server, T0, 0, 10);
      consumer.assign(List.of(T0));
      List<Integer> sizes = new ArrayList<>();

      for (int i = 0; i < 3; i++) {
        sizes.add(consumer.poll(Duration.ofSeconds(10)).size());
      }

      assertEquals(List.of(4, 4, 2), sizes);
      // One for the records, one ahead for what comes next.
      server.awaitReceived(Api.FETCH, 2);
      assertEquals(2, server.received(Api.FETCH).size());
    }
  }

  @Test
  void aRecordWrittenWhileThePollWaitsEndsTheWait() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.fetchMaxWaitMs(60_000))) {
      consumer.assign(List.of(T0));
      CompletableFuture<List<String>> polled =
          CompletableFuture.supplyAsync(() -> read(consumer, 1));
      server.awaitReceived(Api.FETCH, 1);

      fill(server, T0, 0, 1);

      assertEquals(named(0, 1), polled.join());
    }
  }

  @Test
  void aPollWithoutRecordsReturnsAtItsOwnTime() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.fetchMaxWaitMs(60_000))) {
      consumer.assign(List.of(T0));

      assertEquals(List.of(), consumer.poll(Duration.ofMillis(50)));
    }
  }

  @Test
  void wakeupEndsAPollThatWaits() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      consumer.assign(List.of(T0));
      CompletableFuture<Void> polled =
          CompletableFuture.runAsync(
              () ->
                  assertThrows(WakeupException.class, () -> consumer.poll(Duration.ofMinutes(5))));
      server.awaitReceived(Api.FETCH, 1);

      consumer.wakeup();

      polled.join();
      fill(server, T0, 0, 3);
      assertEquals(named(0, 3), read(consumer, 3));
    }
  }

  @Test
  void wakeupBeforeThePollEndsTheNextOneOnly() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 1);
      consumer.assign(List.of(T0));
      consumer.wakeup();

      assertThrows(WakeupException.class, () -> consumer.poll(Duration.ZERO));

      assertEquals(named(0, 1), read(consumer, 1));
    }
  }

  @Test
  void aSecondThreadIsRefused() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      consumer.assign(List.of(T0));
      CompletableFuture<Void> polled =
          CompletableFuture.runAsync(
              () ->
                  assertThrows(WakeupException.class, () -> consumer.poll(Duration.ofMinutes(5))));
      server.awaitReceived(Api.FETCH, 1);

      assertThrows(ConcurrentModificationException.class, () -> consumer.position(T0));

      consumer.wakeup();
      polled.join();
    }
  }

  @Test
  void anUnknownTopicIsAnError() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Consumer consumer = consumer(server)) {
      consumer.assign(List.of(T0));

      ServerException e =
          assertThrows(ServerException.class, () -> consumer.poll(Duration.ofSeconds(10)));

      assertEquals(ErrorCode.UNKNOWN_TOPIC, e.error());
    }
  }

  @Test
  void aPartitionThatDoesNotExistIsAnErrorThatNamesTheCount() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server)) {
      consumer.assign(List.of(new TopicPartition("t", 2)));

      ServerException e =
          assertThrows(ServerException.class, () -> consumer.poll(Duration.ofSeconds(10)));

      assertEquals("UNKNOWN_TOPIC: topic 't' has no partition 2; there are 0 … 1", e.getMessage());
    }
  }

  @Test
  void beginningEndAndTimeAreLookedUp() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server);
        Producer producer = Clients.producer(server)) {
      for (long time : new long[] {10, 20, 30}) {
        producer.send(ProducerRecord.of("t", bytes("v")).inPartition(0).at(time)).join();
      }
      server.log("t", 0).trimTo(1);

      assertEquals(Map.of(T0, 1L, T1, 0L), consumer.beginningOffsets(List.of(T0, T1)));
      assertEquals(Map.of(T0, 3L, T1, 0L), consumer.endOffsets(List.of(T0, T1)));
      assertEquals(OptionalLong.of(2), consumer.offsetForTime(T0, 21));
      assertEquals(OptionalLong.empty(), consumer.offsetForTime(T0, 31));
      assertEquals(2, consumer.partitionCount("t"));
    }
  }

  @Test
  void version0LooksUpBothEndsButNoTimes() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 2);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 3);

      assertEquals(Map.of(T0, 3L, T1, 0L), consumer.endOffsets(List.of(T0, T1)));
      assertThrows(UnsupportedByServerException.class, () -> consumer.offsetForTime(T0, 0));
    }
  }

  @Test
  void aTopicCreatedAgainIsFoundByLookUps() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 3);
      consumer.endOffsets(List.of(T0));
      server.logs.clear();
      server.topic("t", 1);

      assertEquals(Map.of(T0, 0L), consumer.endOffsets(List.of(T0)));
    }
  }

  @Test
  void aClosedConsumerIsClosed() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      Consumer consumer = consumer(server);
      consumer.assign(List.of(T0));
      consumer.poll(Duration.ZERO);
      consumer.close();
      consumer.close();

      Exception e = assertThrows(IllegalStateException.class, () -> consumer.poll(Duration.ZERO));

      assertTrue(String.valueOf(e.getMessage()).contains("closed"));
    }
  }
}
