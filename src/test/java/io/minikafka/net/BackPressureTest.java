package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Pressure;
import io.minikafka.net.WireClient.Answer;
import io.minikafka.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Nobody is read from faster than is answered, and who is slow costs only itself. */
class BackPressureTest extends DataPortHarness {
  private static final int CONNECTION_BYTES = 1 << 20;
  private static final int TOTAL_BYTES = 4 << 20;
  private static final byte[] RECORD = Wire.record(0, 1234, "k", new byte[100_000]);

  @Override
  protected NetSettings settings() {
    return new NetSettings(
        "127.0.0.1",
        0,
        2,
        2 << 20,
        100,
        600_000,
        10_000,
        10_000,
        CONNECTION_BYTES,
        TOTAL_BYTES,
        16 << 10,
        64 << 10);
  }

  private Topic filled(int records) throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    for (int i = 0; i < records; i++) {
      assertEquals(0, client.ask(Requests.produce0(i, "t", 0, RECORD)).error());
    }
    return topic;
  }

  @Test
  void slowReaderPinsLittleAndStopsNobody() throws Exception {
    Topic topic = filled(20);
    WireClient slow = connect(4096);
    int count = 60;
    byte[][] requests = new byte[count][];
    for (int i = 0; i < count; i++) {
      requests[i] = Requests.fetch1(i, 0, 1, topic.id(), 0, i % 20);
    }
    slow.send(requests);
    await("answers wait for it", () -> broker.stores.leases.get() > 0);
    WireClient quick = connect();
    for (int i = 0; i < 20; i++) {
      assertEquals(0, quick.ask(Requests.fetch1(i, 0, 1, topic.id(), 0, i)).error());
      assertEquals(0, quick.ask(Requests.produce0(i, "t", 0, RECORD)).error());
    }
    // Each fetch leases one slice; an answer begun at the bound may go over it once.
    assertTrue(broker.stores.leases.get() <= 12, "leases " + broker.stores.leases.get());
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Answer answer = slow.read();
      assertEquals(0, answer.error());
      seen.add(answer.correlationId());
    }
    assertEquals(count, seen.stream().distinct().count());
  }

  @Test
  void slowVersion0ReaderLeavesMemoryForOthers() throws Exception {
    filled(20);
    List<WireClient> slow = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      WireClient client = connect(4096);
      client.send(Requests.fetch0(1, 0, "t", 0, 0, 1 << 20));
      slow.add(client);
    }
    await("all are read for", () -> memory.usedBytes() > TOTAL_BYTES / 2);
    assertEquals(0, connect().ask(Requests.produce0(1, "t", 0, RECORD)).error());
    for (WireClient client : slow) {
      assertEquals(0, client.read().error());
    }
  }

  @Test
  void producerIsNotReadFromWhileItsAnswersAreNotTaken() throws Exception {
    Topic topic = create("t", 1);
    broker.store(topic, 0).holdForces = true;
    var commit = List.of(io.minikafka.topic.SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", commit, false).get();
    WireClient client = connect();
    int count = 40;
    Thread sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < count; i++) {
                      client.send(Requests.produce0(i, "t", 0, RECORD));
                    }
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    long bound = CONNECTION_BYTES / RECORD.length;
    await("as many as the bound allows", () -> broker.store(topic, 0).snapshot().end() >= bound);
    assertTrue(broker.store(topic, 0).snapshot().end() <= bound + 1);
    assertTrue(memory.usedBytes() <= CONNECTION_BYTES + 2 * RECORD.length);
    broker.store(topic, 0).holdForces = false;
    broker.store(topic, 0).force();
    for (int i = 0; i < count; i++) {
      assertEquals(i, client.read().correlationId());
    }
    sender.join();
  }

  @Test
  void producerWaitsWhileThePartitionIsUnderPressure() throws Exception {
    Topic topic = create("t", 1);
    HandPressure pressure = new HandPressure();
    broker.store(topic, 0).pressure = pressure;
    WireClient client = connect();
    assertEquals(0, client.ask(Requests.produce0(0, "t", 0, RECORD)).error());
    pressure.exceeded.set(true);
    // This one is taken; it is told of the pressure by it.
    assertEquals(0, client.ask(Requests.produce0(1, "t", 0, RECORD)).error());
    client.send(Requests.produce0(2, "t", 0, RECORD));
    assertEquals(0, connect().ask(Requests.fetch0(1, 0, "t", 0, 0, 10)).error());
    assertEquals(2, topic.partition(0).orElseThrow().highWatermark());
    pressure.relieve();
    assertEquals(2, client.read().body().getLong());
  }

  @Test
  void framesWaitForMemoryAndAreServedWhenThereIsSome() throws Exception {
    Topic topic = create("t", 1);
    memory.release(-TOTAL_BYTES - 1);
    WireClient first = connect().send(Requests.produce0(1, "t", 0, RECORD));
    await("the first waits", () -> memory.waiting() == 1);
    WireClient second = connect().send(Requests.produce0(2, "t", 0, RECORD));
    await("the second waits", () -> memory.waiting() == 2);
    assertEquals(0, topic.partition(0).orElseThrow().highWatermark());
    memory.release(TOTAL_BYTES + 1);
    // Each goes on upon its own event loop: which of them is written first is open.
    assertEquals(1, first.read().body().getLong() + second.read().body().getLong());
  }

  @Test
  void clientsThatGoAwayGiveEverythingBack() throws Exception {
    Topic topic = filled(20);
    for (int round = 0; round < 200; round++) {
      WireClient client = new WireClient("127.0.0.1", port, 4096);
      client.send(
          Requests.fetch1(1, 0, 1, topic.id(), 0, 0),
          Requests.fetch0(2, 0, "t", 0, 0, 1 << 20),
          Requests.fetch1(3, 5_000, 1, topic.id(), 0, 20),
          Requests.fetch0(5, 5_000, "t", 0, 20, 100),
          Requests.fetch0(6, 5_000, "t", 0, 20, 100),
          Requests.produce0(4, "t", 0, new byte[][] {Wire.record(0, "bad", "x")}));
      if (round % 2 == 0) {
        client.socket().setSoLinger(true, 0); // A reset.
      }
      client.close();
    }
    await("all gone", () -> server.connections() == 1);
    // Leases, memory and parked fetches are looked at after each test.
  }

  @Test
  void frameAsLargeAsAllowedIsServedAlthoughItIsLargerThanTheBound() throws Exception {
    Topic topic = create("t", 1);
    var larger = List.of(io.minikafka.topic.SettingChange.set("max.message.bytes", "2000000"));
    broker.topics.alter("t", larger, false).get();
    byte[] record = Wire.record(0, 1234, "k", new byte[1_900_000]);
    assertTrue(record.length > CONNECTION_BYTES);
    WireClient client = connect();
    assertEquals(0, client.ask(Requests.produce0(1, "t", 0, record)).error());
    Answer fetched = client.ask(Requests.fetch0(2, 0, "t", 0, 0, 10));
    assertEquals(35 + record.length, fetched.bytes().length);
  }

  private static final class HandPressure implements Pressure {
    final AtomicBoolean exceeded = new AtomicBoolean();
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public boolean exceeded() {
      return exceeded.get();
    }

    @Override
    public synchronized void whenRelieved(Runnable work) {
      waiting.add(work);
    }

    synchronized void relieve() {
      exceeded.set(false);
      waiting.forEach(Runnable::run);
    }
  }
}
