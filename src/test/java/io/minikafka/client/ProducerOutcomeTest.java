package io.minikafka.client;

import static io.minikafka.client.Clients.producer;
import static io.minikafka.client.Clients.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.minikafka.HandTimers;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Produce;
import io.minikafka.record.Header;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of records whose batch was refused or got no answer, and that none goes twice. */
@Timeout(30)
class ProducerOutcomeTest {
  private static final FakeServer.Behaviour SILENT = request -> {};

  /** The values of all records the server received, as often as it did. */
  private static List<String> received(FakeServer server) {
    List<String> values = new ArrayList<>();
    for (FakeServer.Request request : server.received(Api.PRODUCE)) {
      RecordReader reader =
          new RecordReader(request.as(Produce.Request.class).batch().buffer(), 0, true);
      for (RecordView view = reader.next(); view != null; view = reader.next()) {
        values.add(new String(view.value().orElseThrow().toArray(), StandardCharsets.UTF_8));
      }
    }
    return values;
  }

  /** A record as version 0 can say it. */
  private static ProducerRecord keyed(String value) {
    return ProducerRecord.of("t", Clients.bytes("k"), Clients.bytes(value)).inPartition(0);
  }

  private static FakeServer.Behaviour refuse(ErrorCode error) {
    return request -> request.refuse(error, "on purpose");
  }

  @Test
  void aRefusedBatchFailsAlone() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.batchRecords(1))) {
      server.next(Api.PRODUCE, refuse(ErrorCode.MESSAGE_TOO_LARGE));
      Outcomes outcomes = new Outcomes(2);

      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));

      assertEquals(List.of("a!Server", "b@0"), outcomes.await());
    }
  }

  @Test
  void whatTheServerRefusedIsToldInItsWords() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      server.next(Api.PRODUCE, refuse(ErrorCode.DISK_FULL));

      Throwable e = producer.send(record("a")).handle((ack, thrown) -> thrown).join();

      assertEquals("t-0: DISK_FULL: on purpose", e.getMessage());
    }
  }

  @Test
  void aConnectionLostAfterTheSendLeavesAllThatWasSentUnknownAndTheRestUnsent() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.batchRecords(1).maxInFlight(3))) {
      CompletableFuture<Void> allTaken = new CompletableFuture<>();
      server.next(
          Api.PRODUCE,
          SILENT,
          SILENT,
          request -> {
            allTaken.join();
            request.drop();
          });
      Outcomes outcomes = new Outcomes(5);
      for (String name : List.of("a", "b", "c", "d", "e")) {
        producer.send(record(name), outcomes.of(name));
      }
      allTaken.complete(null);

      assertEquals(
          List.of(
              "a!UnknownOutcome", "b!UnknownOutcome", "c!UnknownOutcome", "d!NotSent", "e!NotSent"),
          outcomes.await());
      assertEquals(List.of("a", "b", "c"), received(server));
    }
  }

  /** The large one does not fit into the socket, so what is behind it has not begun to leave. */
  @Test
  void whatIsBehindAnUnknownOutcomeAndNeverLeftIsToldInItsPlace() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(server, s -> s.batchRecords(1).maxInFlight(3).maxBufferedBytes(100 << 20))) {
      CompletableFuture<Void> allTaken = new CompletableFuture<>();
      CompletableFuture<Ack> first = new CompletableFuture<>();
      server.next(
          Api.PRODUCE,
          request -> {
            allTaken.join();
            request.awaitMoreBytes();
            request.refuse(ErrorCode.INTERNAL_ERROR, "on purpose");
            first.handle((ack, why) -> why).join();
            request.drop();
          });
      Outcomes outcomes = new Outcomes(3);
      producer.send(record("a")).whenComplete((ack, why) -> first.completeExceptionally(why));
      producer.send(record("b".repeat(15 << 20)), outcomes.of("b"));
      producer.send(record("c"), outcomes.of("c"));
      producer.send(record("d"), outcomes.of("d"));
      allTaken.complete(null);

      assertEquals(List.of("b!UnknownOutcome", "c!NotSent", "d!NotSent"), outcomes.await());
      assertInstanceOf(UnknownOutcomeException.class, first.exceptionNow());
      assertEquals(List.of("a"), received(server));
    }
  }

  @Test
  void whatCannotBeSaidIsToldBehindWhatNeverLeft() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        Producer producer =
            producer(server, s -> s.batchRecords(1).maxInFlight(4).maxBufferedBytes(100 << 20))) {
      CompletableFuture<Void> allTaken = new CompletableFuture<>();
      server.next(
          Api.PRODUCE,
          request -> {
            allTaken.join();
            request.awaitMoreBytes();
            request.drop();
          });
      Outcomes outcomes = new Outcomes(4);
      producer.send(keyed("a"), outcomes.of("a"));
      producer.send(keyed("b".repeat(15 << 20)), outcomes.of("b"));
      producer.send(keyed("c"), outcomes.of("c"));
      producer.send(
          keyed("d").withHeaders(List.of(new Header("h", Optional.empty()))), outcomes.of("d"));
      allTaken.complete(null);

      assertEquals(
          List.of("a!UnknownOutcome", "b!UnknownOutcome", "c!NotSent", "d!UnsupportedByServer"),
          outcomes.await());
    }
  }

  @Test
  void afterAnUnknownOutcomeNewRecordsGoOnANewConnection() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      server.next(Api.PRODUCE, FakeServer.Request::drop);
      Outcomes outcomes = new Outcomes(1);
      producer.send(record("a"), outcomes.of("a"));
      outcomes.await();

      Ack ack = producer.send(record("b")).join();

      assertEquals(0, ack.offset());
      assertEquals(List.of("a", "b"), received(server));
    }
  }

  @Test
  void onePartitionsUnknownOutcomeLeavesAnotherOnesQueueAlone() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Producer producer = producer(server, s -> s.lingerMs(60_000))) {
      Outcomes outcomes = new Outcomes(2);
      server.next(Api.PRODUCE, FakeServer.Request::drop);
      producer.send(record("a"), outcomes.of("a"));
      producer.flush();
      producer.send(record("b").inPartition(1), outcomes.of("b"));

      producer.flush();

      assertEquals(List.of("a!UnknownOutcome", "b@0"), outcomes.await());
    }
  }

  /** Leaves the producer without a connection and the server without a door. */
  private static void disconnect(FakeServer server, Producer producer) throws Exception {
    server.stopListening();
    server.next(Api.PRODUCE, FakeServer.Request::drop);
    Outcomes outcomes = new Outcomes(1);
    producer.send(record("x").inPartition(1), outcomes.of("x"));
    assertEquals(List.of("x!UnknownOutcome"), outcomes.await());
  }

  @Test
  void whatWasNeverSentIsSentAfterReconnecting() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Producer producer = producer(server)) {
      producer.partitionCount("t");
      disconnect(server, producer);
      Outcomes outcomes = new Outcomes(2);
      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));

      server.restart();

      assertEquals(List.of("a@0", "b@1"), outcomes.await());
      assertEquals(List.of("x", "a", "b"), received(server));
    }
  }

  @Test
  void whatWaitsLongerThanTheOutageFailsUnsent() throws Exception {
    FakeServer server = FakeServer.version1().topic("t", 2);
    ClientSettings client = server.client().outageMs(1).build();
    try (server;
        Producer producer = Producer.open(ProducerSettings.builder(client).build())) {
      producer.partitionCount("t");
      disconnect(server, producer);
      Outcomes outcomes = new Outcomes(1);

      producer.send(record("a"), outcomes.of("a"));

      assertEquals(List.of("a!NotSent"), outcomes.await());
    }
  }

  @Test
  void aBatchWithoutAnAnswerInTimeIsUnknownAndItsConnectionIsNotUsedAgain() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, timers, s -> s.batchRecords(1).maxInFlight(1))) {
      server.next(Api.PRODUCE, SILENT);
      Outcomes outcomes = new Outcomes(2);
      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));
      server.awaitReceived(Api.PRODUCE, 1);

      timers.advanceMs(30_000);

      assertEquals(List.of("a!UnknownOutcome", "b!NotSent"), outcomes.await());
      assertEquals(0, producer.send(record("c")).join().offset());
      List<FakeServer.Request> sent = server.received(Api.PRODUCE);
      assertNotSame(sent.getFirst().connection(), sent.getLast().connection());
    }
  }

  @Test
  void aFailureOfTheServerAfterItMayHaveWrittenIsUnknownToo() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.batchRecords(1).maxInFlight(1))) {
      server.next(Api.PRODUCE, refuse(ErrorCode.STORAGE_FAILED));
      Outcomes outcomes = new Outcomes(2);
      producer.partitionCount("t");
      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));

      List<String> told = outcomes.await();

      assertEquals("a!UnknownOutcome", told.getFirst());
      assertEquals(Set.copyOf(received(server)).size(), received(server).size());
    }
  }

  @Test
  void anAnswerThatCannotBeReadLeavesTheBatchUnknown() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      server.next(
          Api.PRODUCE,
          request ->
              FakeServer.send(
                  request.connection(), FakeServer.head(request.correlationId(), ErrorCode.NONE)));
      Outcomes outcomes = new Outcomes(1);

      producer.send(record("a"), outcomes.of("a"));

      assertEquals(List.of("a!UnknownOutcome"), outcomes.await());
    }
  }
}
