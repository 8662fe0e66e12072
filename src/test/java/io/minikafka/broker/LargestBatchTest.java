package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Caller;
import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.topic.Fixtures;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.TopicError;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a topic may promise to take, against what a frame can bring. */
class LargestBatchTest {
  private static final Caller CALLER = TestBroker.caller(1);
  private static final TopicError TOO_LARGE =
      TopicError.invalid(
          "settings.max.message.bytes",
          "max.message.bytes is 1044481, must be at most 1044480 to fit in a frame of 1048576 bytes"
              + " (minikafka.net.max-frame-bytes) with 4096 to spare");

  @TempDir Path directory;

  private TestBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            new BrokerLimits(1 << 20, 1 << 20, 60_000, 10, 1_000),
            new HandTimers(),
            Runnable::run,
            new HeapPool(),
            EngineObserver.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  private static List<SettingChange> bytes(int bytes) {
    return List.of(SettingChange.set("max.message.bytes", String.valueOf(bytes)));
  }

  @Test
  void topicIsNotCreatedForBatchesThatNoFrameCarries() {
    assertEquals(
        TOO_LARGE,
        Fixtures.refused(broker.administration.create(CALLER, "t", 1, bytes(1_044_481), false)));
    assertTrue(broker.topics.topic("t").isEmpty());
  }

  @Test
  void topicIsNotAlteredForBatchesThatNoFrameCarries() throws Exception {
    broker.create("t", 1);

    assertEquals(
        TOO_LARGE,
        Fixtures.refused(broker.administration.updateConfig(CALLER, "t", bytes(1_044_481), true)));
  }

  @Test
  void largestBatchThatAFrameCarriesIsAllowed() {
    Fixtures.done(broker.administration.create(CALLER, "t", 1, bytes(1_044_480), false));
    Fixtures.done(broker.administration.updateConfig(CALLER, "t", bytes(1_000_000), false));
  }
}
