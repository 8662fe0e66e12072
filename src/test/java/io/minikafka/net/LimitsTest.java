package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.topic.Topic;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connections: how many, how long they may do nothing, and how they end. */
class LimitsTest extends DataPortHarness {
  private static final byte[] RECORD = Wire.record(0, "k", "v");
  private static final int MAX_CONNECTIONS = 3;

  @Override
  protected NetSettings settings() {
    return settings(MAX_CONNECTIONS);
  }

  @Test
  void oneMoreThanMayConnectIsClosedAndCounted() throws Exception {
    List<WireClient> open = List.of(connect(), connect(), connect());
    for (WireClient client : open) {
      assertEquals(0, client.ask(Requests.hello(1)).error());
    }
    assertTrue(connect().isClosed());
    assertEquals(List.of("connection limit"), observed.refused);
    for (WireClient client : open) {
      assertEquals(0, client.ask(Requests.hello(2)).error());
    }
    open.getFirst().close();
    await("one has left", () -> server.connections() == MAX_CONNECTIONS - 1);
    assertEquals(0, connect().ask(Requests.hello(3)).error());
  }

  @Test
  void idleConnectionIsClosed() throws Exception {
    WireClient client = connect();
    assertEquals(0, client.ask(Requests.hello(1)).error());
    long afterMs = advanceUntil("closed", () -> observed.refused.equals(List.of("idle")));
    assertTrue(afterMs >= settings().idleTimeoutMs(), afterMs + " ms");
    assertTrue(afterMs <= settings().idleTimeoutMs() + 5_000, afterMs + " ms");
    assertTrue(client.isClosed());
  }

  @Test
  void connectionThatWaitsForRecordsIsNotIdle() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    for (int round = 0; round < 3; round++) {
      client.send(Requests.fetch1(1, 60_000, 1, topic.id(), 0, 0));
      await("parked", () -> broker.parkedFetches.count() == 1);
      timers.advanceMs(60_000);
      assertEquals(0, client.read().error());
    }
    assertEquals(List.of(), observed.refused);
  }

  @Test
  void readerThatTakesNothingIsClosedAndGivesBackItsLeases() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    byte[] record = Wire.record(0, 1234, "k", new byte[90_000]);
    for (int i = 0; i < 100; i++) {
      client.ask(Requests.produce0(1, "t", 0, record));
    }
    WireClient stuck = connect(4096);
    stuck.send(Requests.fetch1(1, 0, 1, topic.id(), 0, 0));
    await("a lease is held", () -> broker.stores.leases.get() == 1);
    advanceUntil("closed", () -> observed.refused.contains("send timeout"));
    await("given back", () -> broker.stores.leases.get() == 0);
    assertEquals(0, connect().ask(Requests.hello(1)).error());
  }

  @Test
  void readerThatTakesItsTimeIsNotClosed() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    byte[] record = Wire.record(0, 1234, "k", new byte[90_000]);
    for (int i = 0; i < 40; i++) {
      client.ask(Requests.produce0(1, "t", 0, record));
    }
    WireClient slow = connect(4096);
    for (int i = 1; i <= 4; i++) {
      slow.send(Requests.fetch1(i, 0, 1, topic.id(), 0, 0));
    }
    long taken = 0;
    // Twice the time-out in all; more than the kernel may hold goes by in the course of one.
    while (taken < 13_000_000) {
      taken += slow.socket().getInputStream().readNBytes(100_000).length;
      timers.advanceMs(settings().sendTimeoutMs() / 64);
    }
    assertTrue(slow.socket().getInputStream().readNBytes(500_000).length == 500_000);
    assertEquals(List.of(), observed.refused);
  }

  @Test
  void portThatIsTakenFailsTheStart() {
    NetSettings taken =
        new NetSettings(
            "127.0.0.1", port, 1, 1 << 20, 1, 0, 1000, 1000, 1 << 20, 1 << 20, 1 << 10, 0);
    io.vertx.core.Vertx other = io.vertx.core.Vertx.vertx();
    try {
      DataServer second =
          new DataServer(other, taken, memory, broker.dispatcher, timers, observed, CLOCK);
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> second.start().get(20, TimeUnit.SECONDS));
      assertTrue(failure.getCause() instanceof BindException, String.valueOf(failure.getCause()));
    } finally {
      other.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void stopAnswersWhatIsUnderWayAndThenCloses() throws Exception {
    Topic topic = create("t", 1);
    var commit = List.of(io.minikafka.topic.SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", commit, false).get();
    broker.store(topic, 0).holdForces = true;
    WireClient waiting = connect().send(Requests.fetch1(1, 50_000, 1, topic.id(), 0, 0));
    await("parked", () -> broker.parkedFetches.count() == 1);
    WireClient producer = connect().send(Requests.produce0(2, "t", 0, RECORD));
    await("written", () -> broker.store(topic, 0).snapshot().end() == 1);
    WireClient idle = connect();
    await("all there", () -> server.connections() == 3);

    var stopped = server.stop(10_000);
    assertEquals(0, waiting.read().error());
    assertTrue(waiting.isClosed());
    assertTrue(idle.isClosed());
    assertTrue(!stopped.isDone());
    broker.store(topic, 0).force();
    assertEquals(0, producer.read().error());
    assertTrue(producer.isClosed());
    stopped.get(20, TimeUnit.SECONDS);
    assertThrows(IOException.class, this::connect);
    assertEquals(List.of(), observed.refused);
  }

  @Test
  void stopDoesNotWaitForEver() throws Exception {
    Topic topic = create("t", 1);
    var commit = List.of(io.minikafka.topic.SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", commit, false).get();
    broker.store(topic, 0).holdForces = true;
    WireClient producer = connect().send(Requests.produce0(2, "t", 0, RECORD));
    await("written", () -> broker.store(topic, 0).snapshot().end() == 1);
    var stopped = server.stop(10_000);
    timers.advanceMs(10_000);
    stopped.get(20, TimeUnit.SECONDS);
    assertTrue(producer.isClosed());
    broker.store(topic, 0).force();
  }
}
