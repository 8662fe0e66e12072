package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.net.WireClient.Answer;
import io.minikafka.topic.Topic;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;

/** A data port that serves groups, with a topic of four partitions of three records each. */
abstract class GroupPortHarness extends DataPortHarness {
  static final long SESSION_MS = 10_000;
  static final int PARTITIONS = 4;
  static final int RECORDS = 3;

  Topic topic;

  @BeforeEach
  void startGroups() throws Exception {
    broker.startGroups();
    topic = create("orders", PARTITIONS);
    WireClient producer = connect();
    byte[] record = Wire.record(0, "k", "v");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      byte[] produce = Requests.produce0(1, "orders", partition, record, record, record);
      assertEquals(0, producer.ask(produce).error());
    }
  }

  /** Asks, and lets time go by until there is an answer. */
  Answer askInTime(WireClient client, byte[] request) throws IOException {
    client.send(request);
    return readInTime(client);
  }

  Answer readInTime(WireClient client) throws IOException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (client.socket().getInputStream().available() == 0) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no answer, whatever the clock says");
      }
      timers.advanceMs(1);
      // The event loops get on with what they have before much time has gone by.
      LockSupport.parkNanos(200_000);
      awaitMailbox();
    }
    return client.read();
  }

  /** Waits until the coordinator has dealt with all that was sent to it. */
  void awaitMailbox() {
    await("the mailbox is empty", () -> broker.coordinator.mailboxDepth() == 0);
  }
}
