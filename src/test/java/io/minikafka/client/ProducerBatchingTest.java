package io.minikafka.client;

import static io.minikafka.client.Clients.producer;
import static io.minikafka.client.Clients.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.minikafka.HandTimers;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.Produce;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerBatchingTest {
  /** Records in each batch the server received. */
  private static List<Integer> batches(FakeServer server) {
    return server.received(Api.PRODUCE).stream()
        .map(request -> request.as(Produce.Request.class).batch().buffer())
        .map(batch -> BatchMarker.read(batch, 0).span())
        .toList();
  }

  @Test
  void aBatchIsSentWhenItHasSoManyRecords() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.lingerMs(60_000).batchRecords(100))) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();
      for (int i = 0; i < 250; i++) {
        futures.add(producer.send(record("r" + i)));
      }
      futures.get(199).join();
      assertEquals(List.of(100, 100), batches(server));

      producer.flush();

      assertEquals(List.of(100, 100, 50), batches(server));
      for (int i = 0; i < 250; i++) {
        assertEquals(i, futures.get(i).join().offset());
      }
    }
  }

  @Test
  void aBatchIsSentWhenTheNextRecordWouldNotFit() throws Exception {
    int recordBytes = Entry.PLAIN_OVERHEAD_BYTES + 10;
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(server, s -> s.lingerMs(60_000).batchBytes(3 * recordBytes + 1))) {
      CompletableFuture<Ack> third = new CompletableFuture<>();
      for (int i = 0; i < 4; i++) {
        CompletableFuture<Ack> future = producer.send(record("0123456789"));
        third = i == 2 ? future : third;
      }

      third.join();

      assertEquals(List.of(3), batches(server));
    }
  }

  @Test
  void aRecordLargerThanABatchGoesAlone() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.lingerMs(60_000).batchBytes(100))) {
      producer.send(record("small"));
      producer.send(record("x".repeat(1_000)));
      producer.send(record("small"));

      producer.flush();

      assertEquals(List.of(1, 1, 1), batches(server));
    }
  }

  @Test
  void aBatchThatIsNotFullLingersAndNoLonger() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, timers, s -> s.lingerMs(20))) {
      CompletableFuture<Ack> first = producer.send(record("a"));
      timers.advanceMs(19);
      CompletableFuture<Ack> second = producer.send(record("b"));
      assertEquals(List.of(), batches(server));
      assertFalse(first.isDone());

      timers.advanceMs(1);

      first.join();
      second.join();
      assertEquals(List.of(2), batches(server));
    }
  }

  @Test
  void withoutLingerALoneRecordGoesAtOnceAndOthersGatherBehindIt() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      server.next(
          Api.PRODUCE,
          request -> {
            released.await();
            request.answer();
          });
      producer.send(record("a"));
      server.awaitReceived(Api.PRODUCE, 1);
      producer.send(record("b"));
      producer.send(record("c"));
      CompletableFuture<Ack> last = producer.send(record("d"));

      released.countDown();

      assertEquals(3, last.join().offset());
      assertEquals(List.of(1, 3), batches(server));
    }
  }

  @Test
  void atMostSoManyBatchesOfAPartitionAreUnderWay() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.batchRecords(1))) {
      FakeServer.Behaviour held =
          request ->
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          released.await();
                          request.answer();
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                      });
      server.next(Api.PRODUCE, held, held, held, held, held);
      for (int i = 0; i < 20; i++) {
        producer.send(record("r" + i));
      }
      server.awaitReceived(Api.PRODUCE, 5);
      // What is sent on the same connection later than a sixth batch would be shows there is none.
      producer.partitionCount("t");
      assertEquals(5, server.received(Api.PRODUCE).size());

      released.countDown();
      producer.flush();

      assertEquals(20, server.received(Api.PRODUCE).size());
    }
  }

  @Test
  void answersThatOvertakeEachOtherAreToldInTheOrderOfTheRecords() throws Exception {
    List<FakeServer.Request> held = new ArrayList<>();
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.batchRecords(1))) {
      server.next(
          Api.PRODUCE,
          held::add,
          held::add,
          request -> {
            Produce.Response third = new Produce.Response(2, 3, 0, 0, 7, 2, false);
            request.reply(third);
            held.get(1).reply(new Produce.Response(1, 3, 0, 0, 7, 2, false));
            held.get(0).reply(new Produce.Response(0, 3, 0, 0, 7, 2, false));
          });
      Outcomes outcomes = new Outcomes(3);
      producer.send(record("a"), outcomes.of("a"));
      producer.send(record("b"), outcomes.of("b"));
      producer.send(record("c"), outcomes.of("c"));

      assertEquals(List.of("a@0", "b@1", "c@2"), outcomes.await());
    }
  }
}
