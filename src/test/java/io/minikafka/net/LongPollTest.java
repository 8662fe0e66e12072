package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.broker.BrokerLimits;
import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import org.junit.jupiter.api.Test;

/** Fetches that wait, on a clock that the test moves. */
class LongPollTest extends DataPortHarness {
  private static final byte[] RECORD = Wire.record(0, "k", "v");
  private static final int MAX_PARKED = 3;

  @Override
  protected BrokerLimits limits() {
    return new BrokerLimits(settings().maxFrameBytes(), 4 << 20, 60_000, MAX_PARKED, 1_000);
  }

  private void awaitParked(int count) {
    await(count + " parked", () -> broker.parkedFetches.count() == count);
  }

  private static int entriesBytes(Answer answer) {
    return answer.body().getInt(answer.body().limit() - answer.body().remaining() + 4 + 58);
  }

  private static boolean hasAnswer(WireClient client) throws Exception {
    return client.socket().getInputStream().available() > 0;
  }

  @Test
  void waitsExactlyAsLongAsAsked() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect().send(Requests.fetch1(1, 700, 1, topic.id(), 0, 0));
    awaitParked(1);
    timers.advanceMs(699);
    assertEquals(1, broker.parkedFetches.count());
    assertFalse(hasAnswer(client));
    timers.advanceMs(1);
    Answer answer = client.read();
    assertEquals(0, answer.error());
    assertEquals(0, entriesBytes(answer));
  }

  @Test
  void version0WaitsExactlyAsLongAsAsked() throws Exception {
    create("t", 1);
    WireClient client = connect().send(Requests.fetch0(1, 700, "t", 0, 0, 100));
    awaitParked(1);
    timers.advanceMs(699);
    assertFalse(hasAnswer(client));
    timers.advanceMs(1);
    assertEquals(0, client.read().error());
  }

  @Test
  void neverWaitsLongerThanTheBrokerAllows() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect().send(Requests.fetch1(1, -1, 1, topic.id(), 0, 0));
    awaitParked(1);
    timers.advanceMs(limits().maxFetchWaitMs() - 1);
    assertFalse(hasAnswer(client));
    timers.advanceMs(1);
    assertEquals(0, client.read().error());
  }

  @Test
  void wakesWhenARecordComes() throws Exception {
    Topic topic = create("t", 1);
    WireClient one = connect().send(Requests.fetch1(1, 700, 1, topic.id(), 0, 0));
    WireClient zero = connect().send(Requests.fetch0(2, 700, "t", 0, 0, 100));
    awaitParked(2);
    connect().send(Requests.produce0(3, "t", 0, RECORD)).read();
    assertEquals(96 + RECORD.length, entriesBytes(one.read()));
    assertEquals(RECORD.length, zero.read().bytes().length - 35);
    awaitParked(0);
    // Neither leaves a timer behind; what is left is the look at the connections.
    assertEquals(settings().eventLoops(), timers.waiting());
  }

  @Test
  void waitsForAsManyBytesAsAsked() throws Exception {
    Topic topic = create("t", 2);
    int batchBytes = 96 + RECORD.length;
    byte[] fetch =
        Wire.body()
            .u32(700)
            .u32(3 * batchBytes)
            .u32(1 << 20)
            .u32(0x13)
            .u32(2)
            .id(topic.id())
            .u32(0)
            .u64(0)
            .u32(0)
            .u32(1 << 20)
            .id(topic.id())
            .u32(1)
            .u64(0)
            .u32(0)
            .u32(1 << 20)
            .frame(4, 1, 1);
    WireClient client = connect().send(fetch);
    WireClient producer = connect();
    awaitParked(1);
    producer.ask(Requests.produce0(3, "t", 0, RECORD));
    producer.ask(Requests.produce0(3, "t", 1, RECORD));
    assertEquals(1, broker.parkedFetches.count());
    assertFalse(hasAnswer(client));
    producer.ask(Requests.produce0(3, "t", 0, RECORD));
    assertEquals(2 * 62 + 4 + 3 * batchBytes, client.read().bytes().length);
  }

  @Test
  void givesWhatThereIsWhenTheTimeIsOver() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect().send(Requests.fetch1(1, 700, 10_000, topic.id(), 0, 0));
    awaitParked(1);
    connect().ask(Requests.produce0(3, "t", 0, RECORD));
    assertFalse(hasAnswer(client));
    timers.advanceMs(700);
    assertEquals(96 + RECORD.length, entriesBytes(client.read()));
  }

  @Test
  void askingForNoBytesIsAskingNotToWait() throws Exception {
    Topic topic = create("t", 1);
    Answer answer = connect().ask(Requests.fetch1(1, 700, 0, topic.id(), 0, 0));
    assertEquals(0, entriesBytes(answer));
  }

  @Test
  void errorOfOnePartitionAnswersAtOnce() throws Exception {
    Topic topic = create("t", 1);
    Answer answer = connect().ask(Requests.fetch1(1, 700, 1, topic.id(), 0, 5));
    assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE.code(), answer.body().getShort(10 + 4 + 20));
  }

  @Test
  void oneMoreThanMayWaitIsRefused() throws Exception {
    Topic topic = create("t", 1);
    WireClient waiting = connect();
    for (int i = 0; i < MAX_PARKED; i++) {
      waiting.send(Requests.fetch1(i, 700, 1, topic.id(), 0, 0));
    }
    awaitParked(MAX_PARKED);
    WireClient one = connect();
    Answer refused = one.ask(Requests.fetch1(9, 700, 1, topic.id(), 0, 0));
    assertEquals(ErrorCode.LIMIT_REACHED.code(), refused.error());
    assertTrue(refused.str().startsWith("3 fetches are waiting already"));
    assertEquals(
        ErrorCode.INTERNAL_ERROR.code(),
        connect().ask(Requests.fetch0(9, 700, "t", 0, 0, 100)).error());
    connect().ask(Requests.produce0(3, "t", 0, RECORD));
    for (int i = 0; i < MAX_PARKED; i++) {
      assertEquals(0, waiting.read().error());
    }
  }

  @Test
  void closedConnectionFreesWhatItParked() throws Exception {
    Topic topic = create("t", 1);
    WireClient gone = connect();
    gone.send(
        Requests.fetch1(1, 700, 1, topic.id(), 0, 0), Requests.fetch1(2, 700, 1, topic.id(), 0, 0));
    WireClient stays = connect().send(Requests.fetch1(3, 700, 1, topic.id(), 0, 0));
    awaitParked(3);
    gone.close();
    awaitParked(1);
    connect().ask(Requests.produce0(3, "t", 0, RECORD));
    assertEquals(3, stays.read().correlationId());
  }

  @Test
  void deletedTopicAnswersWhoWaitsForIt() throws Exception {
    Topic topic = create("t", 1);
    WireClient one = connect().send(Requests.fetch1(1, 700, 1, topic.id(), 0, 0));
    WireClient zero = connect().send(Requests.fetch0(1, 700, "t", 0, 0, 100));
    awaitParked(2);
    broker.delete("t");
    assertEquals(ErrorCode.UNKNOWN_TOPIC.code(), one.read().body().getShort(10 + 4 + 20));
    assertEquals(ErrorCode.UNKNOWN_TOPIC.code(), zero.read().body().getShort(10 + 4 + 5 + 4));
  }

  @Test
  void onlyDurableRecordsWakeUnderCommit() throws Exception {
    Topic topic = create("t", 1);
    var settings =
        java.util.List.of(io.minikafka.topic.SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", settings, false).get();
    broker.store(topic, 0).holdForces = true;
    WireClient client = connect().send(Requests.fetch1(1, 700, 1, topic.id(), 0, 0));
    awaitParked(1);
    WireClient producer = connect().send(Requests.produce0(3, "t", 0, RECORD));
    await("written", () -> broker.store(topic, 0).snapshot().end() == 1);
    assertFalse(hasAnswer(client));
    assertFalse(hasAnswer(producer));
    broker.store(topic, 0).force();
    assertEquals(96 + RECORD.length, entriesBytes(client.read()));
    assertEquals(0, producer.read().error());
  }
}
