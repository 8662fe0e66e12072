package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.topic.Topic;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches that wait in a partition while it is repaired. */
class LogRepairsTest {
  @TempDir Path directory;

  private final HandTimers timers = new HandTimers();
  private final HandPeer peer = new HandPeer();
  private final List<Reply<Fetch.Response>> replies = new ArrayList<>();
  private TestBroker broker;
  private LogAdministration logs;
  private Session session;
  private Topic topic;

  /** Three records, and a fetch that waits behind them. */
  @BeforeEach
  void start() throws Exception {
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            new BrokerLimits(1 << 20, 10_000, 60_000, 10, 1_000),
            timers,
            Runnable::run,
            new HeapPool(),
            EngineObserver.NONE);
    logs =
        new LogAdministration(
            broker.topics,
            new LogAdministration.Surroundings(
                Runnable::run,
                timers,
                () -> Instant.ofEpochMilli(1_000),
                0,
                broker.parkedFetches,
                broker.coordinator::partitionCut));
    topic = broker.create("t", 1);
    session = broker.dispatcher.open(TestBroker.caller(1), peer);
    for (String value : List.of("a", "b", "c")) {
      append(value);
    }
    fetch(3);
    assertEquals(1, broker.parkedFetches.count());
  }

  @AfterEach
  void nothingWaits() throws Exception {
    session.close();
    assertEquals(0, broker.parkedFetches.count());
    broker.close();
  }

  private void append(String value) {
    Entries.append(topic.partitions().getFirst(), Entries.batch(value));
  }

  private void fetch(long offset) {
    session.request(
        Fetch.V1,
        new Fetch.Request(
            60_000, 1, 10_000, 0x13, List.of(new Fetch.Partition(topic.id(), 0, offset, 0, -1))),
        replies::add);
    peer.run();
  }

  private void repair(RepairAction action, long offset, boolean validateOnly) {
    Result<Repair> done =
        logs.repair(TestBroker.caller(2), "t", 0, action, offset, validateOnly).join();
    assertInstanceOf(Result.Done.class, done);
    peer.run();
  }

  private Fetch.Answer answer() {
    assertEquals(1, replies.size(), "answers");
    return ((Reply.Answer<Fetch.Response>) replies.removeLast()).response().answers().getFirst();
  }

  @Test
  void aFetchThatWaitsBehindACutIsToldWhereTheLogEnds() {
    repair(RepairAction.CUT, 1, false);
    Fetch.Answer answer = answer();
    assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.of(answer.error()));
    assertEquals(1, answer.highWatermark());
    fetch(1);
    append("new");
    peer.run();
    assertEquals(List.of("1:new"), records());
  }

  private List<String> records() {
    var entries = answer().entries();
    List<String> records = Entries.records(entries);
    entries.release();
    return records;
  }

  @Test
  void aFetchThatWaitsWhileDamageIsSkippedIsAnsweredAndTheNextGoesOn() {
    repair(RepairAction.SKIP, 1, false);
    Fetch.Answer answer = answer();
    assertEquals(ErrorCode.NONE, ErrorCode.of(answer.error()));
    assertEquals(0, answer.entries().length());
    fetch(3);
    append("new");
    peer.run();
    assertEquals(List.of("3:new"), records());
  }

  @Test
  void aFetchThatWaitsIsNotDisturbedByAPlan() {
    repair(RepairAction.CUT, 1, true);
    assertEquals(List.of(), replies);
    assertEquals(1, broker.parkedFetches.count());
    append("new");
    peer.run();
    assertEquals(List.of("3:new"), records());
  }
}
