package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Calls;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Hello;
import io.minikafka.protocol.Metadata;
import io.minikafka.protocol.Produce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatchTest {
  @TempDir Path directory;

  private final List<String> observed = new ArrayList<>();
  private final HandTimers timers = new HandTimers();
  private TestBroker broker;
  private Session session;

  @BeforeEach
  void start() throws Exception {
    EngineObserver observer =
        new EngineObserver() {
          @Override
          public void onRequest(String api, int version, int error, long nanos) {
            observed.add("%s %d %d %d".formatted(api, version, error, nanos));
          }
        };
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            new BrokerLimits(1 << 20, 1 << 20, 60_000, 10, 1_000),
            timers,
            Runnable::run,
            new HeapPool(),
            observer);
    session = broker.dispatcher.open(TestBroker.caller(1), new HandPeer());
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  /** A request of all zeros is one that every codec can read, and no handler should choke on. */
  private <Q, R> void ask(Call<Q, R> call, List<Reply<?>> replies) {
    ByteBuffer zeros = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    Q request = call.request().read(zeros);
    session.request(call, request, replies::add);
    session.endOfBurst();
  }

  @Test
  void everyCallIsAnsweredAndObserved() {
    for (Call<?, ?> call : Calls.ALL) {
      if (call == Produce.V0) {
        continue; // Needs room in front of its records, which a frame has.
      }
      List<Reply<?>> replies = new ArrayList<>();
      ask(call, replies);
      assertEquals(1, replies.size(), call.toString());
      assertNotNull(replies.getFirst());
      assertEquals(
          "%s %d %d 0".formatted(call.api(), call.version(), replies.getFirst().error().code()),
          observed.removeLast());
    }
  }

  @Test
  void helloGivesTheCallerItsName() {
    session.request(Hello.V1, new Hello.Request("me", "1"), reply -> {});
    assertEquals("me", session.caller().clientName());
    assertEquals(1, session.caller().connection());
  }

  @Test
  void handlerThatFailsIsAnInternalErrorWithoutDetails() throws Exception {
    broker.create("t", 1);
    List<Reply<?>> replies = new ArrayList<>();
    // No room for a marker in front of the records: whoever made this request has a bug.
    Bytes records = Bytes.of(new byte[10]);
    session.request(Produce.V0, new Produce.RequestV0("t", 0, 1, records), replies::add);
    assertEquals(
        List.of(Reply.failure(ErrorCode.INTERNAL_ERROR, "the broker failed; see its log")),
        replies);
  }

  @Test
  void observedTimeIsThatOfTheRequest() {
    session.request(Metadata.V0, new Metadata.RequestV0("nope"), reply -> timers.advanceMs(1));
    assertEquals(List.of("METADATA 0 1 0"), observed);
  }
}
