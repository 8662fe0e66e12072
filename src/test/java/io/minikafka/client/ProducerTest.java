package io.minikafka.client;

import static io.minikafka.client.Clients.producer;
import static io.minikafka.client.Clients.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Produce;
import io.minikafka.record.Header;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerTest {
  private static MinikafkaException failure(CompletableFuture<Ack> future) {
    CompletionException thrown = assertThrows(CompletionException.class, future::join);
    return assertInstanceOf(MinikafkaException.class, thrown.getCause());
  }

  @Test
  void aRecordIsAcknowledgedWithItsReceipt() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      producer.send(record("before")).join();

      Ack ack = producer.send(record("x").at(5)).join();

      assertEquals(new Ack(new TopicPartition("t", 0), 1, 5, 1_001, Durability.FLUSHED, 2), ack);
    }
  }

  @Test
  void version0IsSpokenWithAServerThatKnowsNoMore() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        Producer producer = producer(server)) {

      Ack ack = producer.send(record("x").at(5)).join();

      assertEquals(new Ack(new TopicPartition("t", 0), 0, 5, -1, Durability.TOPIC_POLICY, 0), ack);
    }
  }

  @Test
  void whatTheSettingsAskForDurabilityIsAskedOfTheServer() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.durability(Durability.FLUSHED))) {

      producer.send(record("x")).join();

      FakeServer.Request request = server.received(Api.PRODUCE).getFirst();
      assertEquals(2, request.as(Produce.Request.class).durability());
    }
  }

  @Test
  void anUnknownTopicFailsTheRecord() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Producer producer = producer(server)) {

      CompletableFuture<Ack> future = producer.send(record("x"));

      ServerException e = assertInstanceOf(ServerException.class, failure(future));
      assertEquals(ErrorCode.UNKNOWN_TOPIC, e.error());
      assertEquals("UNKNOWN_TOPIC: there is no topic 't'", e.getMessage());
    }
  }

  @Test
  void aTopicDeletedAndCreatedAgainIsFoundAgain() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      producer.send(record("old")).join();
      server.topic("t", 1);
      server.logs.keySet().removeIf(id -> !id.equals(server.key("t", 0)));
      MinikafkaException refused = failure(producer.send(record("lost")));

      Ack ack = producer.send(record("new")).join();

      assertEquals(0, ack.offset());
      assertInstanceOf(ServerException.class, refused);
    }
  }

  @Test
  void version0RefusesWhatItCannotSay() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        Producer producer = producer(server)) {

      CompletableFuture<Ack> future =
          producer.send(record("x").withHeaders(List.of(Header.of("h", new byte[0]))));

      MinikafkaException e = assertInstanceOf(UnsupportedByServerException.class, failure(future));
      assertTrue(String.valueOf(e.getMessage()).contains("no headers"), e.getMessage());
      assertEquals(List.of(), server.received(Api.PRODUCE));
    }
  }

  @Test
  void aPayloadAboveTheFormatsLimitIsRefusedAtOnce() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      ProducerRecord giant = ProducerRecord.of("t", new byte[16 << 20]);

      Exception e = assertThrows(IllegalArgumentException.class, () -> producer.send(giant));

      assertEquals("a record of 16777228 payload bytes; the limit is 16777216", e.getMessage());
    }
  }

  @Test
  void anUnreachableServerIsNamedWhenTheOutageHasLasted() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    ClientSettings client = server.client().outageMs(0).build();
    try (Producer producer = Producer.open(ProducerSettings.builder(client).build())) {

      CompletableFuture<Ack> future = producer.send(record("x"));

      MinikafkaException e = assertInstanceOf(ConnectionException.class, failure(future));
      assertTrue(
          String.valueOf(e.getMessage()).startsWith("cannot connect to 127.0.0.1:"),
          e.getMessage());
    }
  }

  @Test
  void flushReturnsWhenEverythingTakenBeforeIsSettled() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.lingerMs(60_000))) {
      CompletableFuture<Ack> first = producer.send(record("a"));
      CompletableFuture<Ack> second = producer.send(record("b"));
      assertFalse(first.isDone());

      producer.flush();

      assertTrue(first.isDone() && second.isDone());
    }
  }

  @Test
  void closeSendsWhatIsThere() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      CompletableFuture<Ack> future;
      try (Producer producer = producer(server, s -> s.lingerMs(60_000))) {
        future = producer.send(record("a"));
      }

      assertEquals(0, future.getNow(null).offset());
    }
  }

  @Test
  void closeFailsInOrderWhatHasNoAnswerInTime() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      server.next(Api.PRODUCE, request -> {}, request -> {});
      Outcomes outcomes = new Outcomes(3);
      Producer producer = producer(server, s -> s.batchRecords(1).maxInFlight(2));
      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));
      producer.send(record("c"), outcomes.of("c"));
      server.awaitReceived(Api.PRODUCE, 2);

      producer.close(Duration.ZERO);

      assertEquals(List.of("a!UnknownOutcome", "b!UnknownOutcome", "c!NotSent"), outcomes.soFar());
    }
  }

  @Test
  void aClosedProducerTakesNothing() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      Producer producer = producer(server);
      producer.close();

      assertThrows(IllegalStateException.class, () -> producer.send(record("x")));

      producer.close();
    }
  }

  @Test
  void aCallbackThatThrowsKeepsNothingFromTheOthers() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.lingerMs(60_000))) {
      Outcomes outcomes = new Outcomes(1);
      producer.send(
          record("a"),
          new SendCallback() {
            @Override
            public void acknowledged(Ack ack) {
              throw new IllegalStateException("on purpose");
            }

            @Override
            public void failed(MinikafkaException failure) {}
          });
      producer.send(record("b"), outcomes.of("b"));

      producer.flush();

      assertEquals(List.of("b@1"), outcomes.soFar());
    }
  }
}
