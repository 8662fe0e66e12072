package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Metadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTest {
  private static final int MAX_TOPICS = 100;
  private static final int MAX_FRAME_BYTES = 64 << 10;

  @TempDir Path directory;

  private TestBroker broker;
  private Session session;

  @BeforeEach
  void start() throws Exception {
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            new BrokerLimits(MAX_FRAME_BYTES, 1 << 20, 60_000, 10, MAX_TOPICS),
            new HandTimers(),
            Runnable::run,
            new HeapPool(),
            EngineObserver.NONE);
    session = broker.dispatcher.open(TestBroker.caller(1), new HandPeer());
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  private Reply<?> ask(List<String> names) {
    List<Reply<?>> replies = new ArrayList<>();
    session.request(Metadata.V1, new Metadata.Request(names), replies::add);
    session.endOfBurst();
    assertEquals(1, replies.size());
    return replies.getFirst();
  }

  @Test
  void requestMayNameAsManyTopicsAsTheLimitSays() throws Exception {
    broker.create("t", 1);

    assertEquals(ErrorCode.NONE, ask(Collections.nCopies(MAX_TOPICS, "t")).error());
  }

  @Test
  void requestThatNamesMoreTopicsIsRefusedWithTheLimit() {
    assertEquals(
        Reply.failure(
            ErrorCode.LIMIT_REACHED,
            "101 topics in one request; the limit is 100 (minikafka.net.max-request-topics)"),
        ask(Collections.nCopies(MAX_TOPICS + 1, "t")));
  }

  @Test
  void answerThatNoFrameHoldsIsRefusedBeforeItIsMade() throws Exception {
    broker.create("t", 100);

    assertEquals(
        Reply.failure(
            ErrorCode.LIMIT_REACHED,
            "the metadata of 50 topics takes 71400 bytes or more, the limit is 65536"
                + " (minikafka.net.max-frame-bytes); name fewer topics at once"),
        ask(Collections.nCopies(50, "t")));
    assertEquals(ErrorCode.NONE, ask(Collections.nCopies(45, "t")).error());
  }
}
