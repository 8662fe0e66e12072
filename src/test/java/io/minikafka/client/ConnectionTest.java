package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.Timers;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.Metadata;
import io.minikafka.protocol.Produce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConnectionTest {
  private final CountDownLatch closed = new CountDownLatch(1);

  private Connection connect(FakeServer server, Timers timers) throws IOException {
    return new Connection(
        server.client().maxFrameBytes(20 << 20).build(),
        timers,
        Clients.runtime(timers).threads(),
        connection -> closed.countDown());
  }

  private static Exchange<Metadata.ResponseV0> ask(Connection connection, String topic) {
    return connection.call(Metadata.V0, new Metadata.RequestV0(topic), 1_000);
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return future.handle((answer, thrown) -> thrown).join();
  }

  @Test
  void answersFindTheirQuestionsInWhateverOrderTheyCome() throws Exception {
    List<FakeServer.Request> held = new ArrayList<>();
    try (FakeServer server = FakeServer.version1()) {
      server.next(
          Api.METADATA,
          held::add,
          held::add,
          request -> {
            request.reply(new Metadata.ResponseV0(3));
            held.get(0).reply(new Metadata.ResponseV0(1));
            held.get(1).reply(new Metadata.ResponseV0(2));
          });
      Connection connection = connect(server, new HandTimers());

      List<Exchange<Metadata.ResponseV0>> asked =
          List.of(ask(connection, "a"), ask(connection, "b"), ask(connection, "c"));

      assertEquals(
          List.of(1, 2, 3),
          asked.stream().map(exchange -> exchange.answer().join().partitions()).toList());
      connection.close(new ConnectionException("the test is over", null));
    }
  }

  @Test
  void closingFailsEverythingUnansweredInTheOrderItWasAsked() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      server.next(Api.METADATA, request -> {}, request -> {}, request -> {});
      Connection connection = connect(server, new HandTimers());
      List<String> failed = new ArrayList<>();
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (String name : List.of("a", "b", "c")) {
        all.add(
            ask(connection, name)
                .answer()
                .handle((answer, thrown) -> failed.add(name + ": " + thrown.getMessage())));
      }

      connection.close(new ConnectionException("over", null));

      all.forEach(CompletableFuture::join);
      assertEquals(List.of("a: over", "b: over", "c: over"), failed);
      closed.await();
    }
  }

  @Test
  void aClosedConnectionTakesNothingAndSaysThatNothingWasSent() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      Connection connection = connect(server, new HandTimers());
      connection.close(new ConnectionException("over", null));

      Exchange<?> exchange = ask(connection, "a");

      assertEquals("over", failure(exchange.answer()).getMessage());
      assertFalse(exchange.mayHaveBeenSent());
      assertFalse(connection.isOpen());
    }
  }

  @Test
  void aQuestionWithoutAnAnswerInTimeEndsTheConnectionAndIsNamed() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1()) {
      server.next(Api.METADATA, request -> {}, request -> {});
      Connection connection = connect(server, timers);
      Exchange<?> patient = connection.call(Metadata.V0, new Metadata.RequestV0("a"), 5_000);
      timers.advanceMs(500);
      Exchange<?> hasty = ask(connection, "b");
      timers.advanceMs(999);
      assertTrue(connection.isOpen());

      timers.advanceMs(1);

      assertEquals(
          server.address() + " did not answer METADATA v0 within 1000 ms",
          failure(hasty.answer()).getMessage());
      assertInstanceOf(ConnectionException.class, failure(patient.answer()));
      assertFalse(connection.isOpen());
    }
  }

  @Test
  void anAnswerBeforeTheDeadlineLeavesTheConnectionOpen() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1().topic("t", 3)) {
      Connection connection = connect(server, timers);
      ask(connection, "t").answer().join();

      timers.advanceMs(100_000);

      assertEquals(3, ask(connection, "t").answer().join().partitions());
      connection.close(new ConnectionException("the test is over", null));
    }
  }

  @Test
  void anAnswerThatAnnouncesTooMuchIsRefusedWithTheBound() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      server.next(
          Api.METADATA,
          request -> {
            BufferSink out = new BufferSink(16);
            out.u32((20 << 20) + 1);
            out.u64(0);
            request.connection().getOutputStream().write(Bytes.of(out.toBuffer()).toArray());
          });
      Connection connection = connect(server, new HandTimers());

      Exchange<?> exchange = ask(connection, "a");

      assertTrue(
          String.valueOf(failure(exchange.answer()).getMessage())
              .contains("an answer announces 20971521 bytes; maxFrameBytes is 20971520"));
    }
  }

  @Test
  void somethingThatIsNoMinikafkaIsRecognised() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      server.next(
          Api.METADATA,
          request ->
              request
                  .connection()
                  .getOutputStream()
                  .write("HTTP/1.1 400 Bad Request\r\n".getBytes()));
      Connection connection = connect(server, new HandTimers());

      Exchange<?> exchange = ask(connection, "a");

      assertTrue(
          String.valueOf(failure(exchange.answer()).getMessage()).endsWith("is that a minikafka?"));
    }
  }

  @Test
  void anAnswerToNothingEndsTheConnection() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      server.next(
          Api.METADATA,
          request -> FakeServer.send(request.connection(), FakeServer.head(4711, ErrorCode.NONE)));
      Connection connection = connect(server, new HandTimers());

      Exchange<?> exchange = ask(connection, "a");

      assertTrue(
          String.valueOf(failure(exchange.answer()).getMessage())
              .contains("an answer came to nothing that was asked"));
    }
  }

  @Test
  void anAnswerOfManyMegabytesArrivesWhole() throws Exception {
    byte[] large = new byte[19 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31 >> 7);
    }
    try (FakeServer server = FakeServer.version1()) {
      server.next(
          Api.FETCH,
          request ->
              request.reply(
                  new Fetch.ResponseV0(
                      List.of(new Fetch.AnswerV0("t", 0, 0, 1, 0, Bytes.of(large))))));
      Connection connection = connect(server, new HandTimers());

      Fetch.ResponseV0 answer =
          connection.call(Fetch.V0, new Fetch.RequestV0(0, List.of()), 1_000).answer().join();

      assertEquals(Bytes.of(large), answer.answers().getFirst().records());
      connection.close(new ConnectionException("the test is over", null));
    }
  }

  @Test
  void largeAndSmallRequestsArriveWholeAndInOrder() throws Exception {
    try (FakeServer server = FakeServer.version1()) {
      Connection connection = connect(server, new HandTimers());
      List<Exchange<?>> asked = new ArrayList<>();
      List<Bytes> sent = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        byte[] bytes = new byte[i % 4 == 0 ? 3_000_000 : 700 * i];
        java.util.Arrays.fill(bytes, (byte) i);
        sent.add(Bytes.of(bytes));
        server.next(Api.PRODUCE, request -> request.reply(new Produce.ResponseV0(0)));
        asked.add(
            connection.call(
                Produce.V0, new Produce.RequestV0("t", i, 1, Bytes.of(bytes)), 100_000));
      }

      asked.forEach(exchange -> exchange.answer().join());

      assertEquals(
          sent,
          server.received(Api.PRODUCE).stream()
              .map(request -> request.as(Produce.RequestV0.class).records())
              .toList());
      connection.close(new ConnectionException("the test is over", null));
    }
  }
}
