package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.protocol.ErrorCode;
import io.minikafka.sim.SimDisk;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicsOnAFullDiskTest {
  private final SimDisk disk = new SimDisk(1);
  private final SimBroker broker;

  TopicsOnAFullDiskTest() throws IOException {
    broker = SimBroker.start(disk, 1, 10_000);
    done(broker.await(broker.topics.create("t", 1, List.of(), false)));
    disk.limitFreeBytes(0);
  }

  private Outcome<TopicEntry> alter(String key, String value) {
    return broker.await(
        broker.topics.alter(
            "t", List.of(SettingChange.set(key, value)), /* validateOnly= */ false));
  }

  @Test
  void settingsAreAlteredAgainAndAgain() {
    for (int ms = 1; ms <= 20; ms++) {
      done(alter("retention.ms", String.valueOf(ms)));
      done(alter("retention.bytes", String.valueOf(1000 * ms)));
    }

    Topic topic = broker.topics.topic("t").orElseThrow();
    assertEquals(20, topic.settings().store().retentionMs());
    assertEquals(20_000, topic.settings().store().retentionBytes());
  }

  @Test
  void nothingIsCreatedFromTheReserve() {
    TopicError error = refused(broker.await(broker.topics.create("u", 1, List.of(), false)));

    assertEquals(ErrorCode.DISK_FULL, error.code());
    assertEquals(Optional.empty(), broker.topics.topic("u"));
  }

  @Test
  void topicIsDeleted() {
    done(broker.await(broker.topics.delete("t", false)));

    assertEquals(List.of(), broker.topics.topics());
  }
}
