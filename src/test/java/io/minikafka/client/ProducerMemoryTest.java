package io.minikafka.client;

import static io.minikafka.client.Clients.producer;
import static io.minikafka.client.Clients.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.ProducerSettings.WhenFull;
import io.minikafka.protocol.Api;
import io.minikafka.record.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerMemoryTest {
  private static final int RECORD_BYTES = Entry.PLAIN_OVERHEAD_BYTES + 10;
  private static final String TEN_BYTES = "0123456789";

  private static Throwable failure(CompletableFuture<Ack> future) {
    return future.handle((ack, thrown) -> thrown).join();
  }

  @Test
  void aFullBufferFailsTheRecordAtOnceIfSoConfigured() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(
                server, s -> s.whenFull(WhenFull.FAIL).maxBufferedBytes(2 * RECORD_BYTES + 5))) {
      server.next(
          Api.PRODUCE,
          request -> {
            released.await();
            request.answer();
          });
      producer.send(record(TEN_BYTES));
      CompletableFuture<Ack> second = producer.send(record(TEN_BYTES));

      CompletableFuture<Ack> third = producer.send(record(TEN_BYTES));

      assertInstanceOf(BufferFullException.class, failure(third));
      assertEquals(
          "76 bytes are waiting to be sent or answered; maxBufferedBytes is 81",
          failure(third).getMessage());
      released.countDown();
      second.join();
      producer.flush();
      assertEquals(2, producer.send(record(TEN_BYTES)).join().offset());
    }
  }

  @Test
  void aFullBufferBlocksTheSenderUntilThereIsRoom() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.maxBufferedBytes(RECORD_BYTES))) {
      server.next(
          Api.PRODUCE,
          request -> {
            released.await();
            request.answer();
          });
      producer.send(record(TEN_BYTES));
      CompletableFuture<Ack> second = new CompletableFuture<>();
      Thread sender =
          Thread.ofPlatform()
              .start(() -> producer.send(record(TEN_BYTES)).thenAccept(second::complete));
      while (sender.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      assertFalse(second.isDone());

      released.countDown();

      assertEquals(1, second.join().offset());
      sender.join();
    }
  }

  @Test
  void aSenderBlocksNoLongerThanConfigured() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(server, s -> s.maxBufferedBytes(RECORD_BYTES).maxBlockMs(500))) {
      producer.partitionCount("t");
      server.next(Api.PRODUCE, request -> {});
      producer.send(record(TEN_BYTES));

      CompletableFuture<Ack> second = producer.send(record(TEN_BYTES));

      assertInstanceOf(BufferFullException.class, failure(second));
      assertTrue(
          String.valueOf(failure(second).getMessage())
              .endsWith("maxBufferedBytes is 38, and none became free within 500 ms"),
          failure(second).getMessage());
      producer.close(java.time.Duration.ZERO);
    }
  }

  @Test
  void anInterruptedSenderFailsItsRecordAndStaysInterrupted() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.maxBufferedBytes(RECORD_BYTES))) {
      server.next(Api.PRODUCE, request -> {});
      producer.send(record(TEN_BYTES));
      Thread.currentThread().interrupt();

      CompletableFuture<Ack> second = producer.send(record(TEN_BYTES));

      assertTrue(Thread.interrupted());
      assertInstanceOf(NotSentException.class, failure(second));
      producer.close(java.time.Duration.ZERO);
    }
  }

  @Test
  void aRecordLargerThanTheBufferIsRefusedWithTheBound() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.maxBufferedBytes(30))) {

      CompletableFuture<Ack> future = producer.send(record(TEN_BYTES));

      assertEquals("a record of 38 bytes; maxBufferedBytes is 30", failure(future).getMessage());
    }
  }

  @Test
  void shortMemoryEndsTheLingering() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(server, s -> s.lingerMs(600_000).maxBufferedBytes(RECORD_BYTES))) {
      CompletableFuture<Ack> first = producer.send(record(TEN_BYTES));

      CompletableFuture<Ack> second = producer.send(record(TEN_BYTES));
      producer.flush();

      assertEquals(List.of(0L, 1L), List.of(first.join().offset(), second.join().offset()));
    }
  }

  @Test
  void everyByteIsGivenBackWhateverBecameOfItsRecord() throws Exception {
    int bound = 3 * RECORD_BYTES;
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, s -> s.maxBufferedBytes(bound).maxBlockMs(20_000))) {
      for (int round = 0; round < 20; round++) {
        if (round % 3 == 1) {
          server.next(Api.PRODUCE, FakeServer.Request::drop);
        }
        for (int i = 0; i < 3; i++) {
          producer.send(record(TEN_BYTES));
        }
        producer.flush();
      }

      CompletableFuture<Ack> whole = producer.send(record("x".repeat(bound - 28)));

      assertFalse(whole.isCompletedExceptionally());
      whole.join();
    }
  }
}
