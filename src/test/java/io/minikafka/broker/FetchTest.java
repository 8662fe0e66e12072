package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.ReadResult;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches of version 1: what is in the answer, and where it is read. */
class FetchTest {
  private static final int MAX_FETCH_BYTES = 10_000;

  /** Marker, entry and 1 byte of key. */
  private static final int OVERHEAD_BYTES = 96 + 28 + 1;

  @TempDir Path directory;

  private final HandTimers timers = new HandTimers();
  private final HeapPool pool = new HeapPool();
  private final HandPeer peer = new HandPeer();
  private final Queue<Runnable> worker = new ArrayDeque<>();
  private boolean workerStopped;
  private TestBroker broker;
  private Session session;
  private Topic topic;
  private final List<Reply<Fetch.Response>> replies = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    BrokerLimits limits = new BrokerLimits(1 << 20, MAX_FETCH_BYTES, 60_000, 10, 1_000);
    broker =
        new TestBroker(
            directory, FlushPolicy.NONE, limits, timers, this::onWorker, pool, EngineObserver.NONE);
    topic = broker.create("t", 3);
    session = broker.dispatcher.open(TestBroker.caller(1), peer);
  }

  private boolean inTest;

  /** Until a test begins, topics need their worker at once. */
  private void onWorker(Runnable work) {
    if (workerStopped) {
      throw new RejectedExecutionException();
    }
    if (inTest) {
      worker.add(work);
    } else {
      work.run();
    }
  }

  @AfterEach
  void everythingIsBack() throws Exception {
    session.close();
    for (Reply<Fetch.Response> reply : replies) {
      if (reply instanceof Reply.Answer<Fetch.Response>(Fetch.Response response)) {
        response.answers().forEach(answer -> answer.entries().release());
      }
    }
    assertEquals(0, broker.stores.leases.get());
    assertEquals(0, pool.lent.get());
    assertEquals(0, broker.parkedFetches.count());
    assertEquals(0, timers.waiting());
    workerStopped = false;
    inTest = false;
    broker.close();
  }

  private void append(int partition, int valueBytes) {
    Entries.append(topic.partitions().get(partition), Entries.batch("x".repeat(valueBytes)));
  }

  private Fetch.Partition part(int partition, long offset, int maxBytes) {
    return new Fetch.Partition(topic.id(), partition, offset, 0, maxBytes);
  }

  private void send(int maxWaitMs, int minBytes, int maxBytes, Fetch.Partition... parts) {
    session.request(
        Fetch.V1,
        new Fetch.Request(maxWaitMs, minBytes, maxBytes, 0x13, List.of(parts)),
        replies::add);
  }

  private List<Fetch.Answer> fetch(int maxBytes, Fetch.Partition... parts) {
    send(0, 1, maxBytes, parts);
    return lastAnswers();
  }

  private List<Fetch.Answer> lastAnswers() {
    Reply<Fetch.Response> reply = replies.removeLast();
    if (reply instanceof Reply.Answer<Fetch.Response>(Fetch.Response response)) {
      return response.answers();
    }
    throw new AssertionError(reply);
  }

  private static int[] lengths(List<Fetch.Answer> answers) {
    int[] lengths = answers.stream().mapToInt(answer -> answer.entries().length()).toArray();
    answers.forEach(answer -> answer.entries().release());
    return lengths;
  }

  private static ErrorCode error(Fetch.Answer answer) {
    return ErrorCode.of(answer.error());
  }

  @Test
  void budgetIsSpentFromAPartitionThatChanges() {
    for (int partition = 0; partition < 3; partition++) {
      append(partition, 1000);
    }
    int one = OVERHEAD_BYTES + 1000;
    Fetch.Partition[] all = {part(0, 0, 5000), part(1, 0, 5000), part(2, 0, 5000)};
    int[] first = lengths(fetch(one, all));
    int[] second = lengths(fetch(one, all));
    int[] third = lengths(fetch(one, all));
    assertEquals("[1125, 0, 0]", Arrays.toString(first));
    assertEquals("[0, 1125, 0]", Arrays.toString(second));
    assertEquals("[0, 0, 1125]", Arrays.toString(third));
  }

  @Test
  void answersKeepTheOrderOfTheRequest() {
    append(1, 10);
    fetch(5000, part(0, 0, 100)); // Moves the beginning.
    List<Fetch.Answer> answers = fetch(5000, part(2, 0, 500), part(0, 0, 500), part(1, 0, 500));
    assertEquals(List.of(2, 0, 1), answers.stream().map(Fetch.Answer::partition).toList());
    assertEquals(OVERHEAD_BYTES + 10, lengths(answers)[2]);
  }

  @Test
  void firstEntryOfOnePartitionComesWholeWhateverTheBounds() {
    append(0, 20_000);
    append(1, 20_000);
    int[] lengths = lengths(fetch(1, part(0, 0, 1), part(1, 0, 1)));
    assertEquals("[20125, 0]", Arrays.toString(lengths));
  }

  @Test
  void boundsOfRequestPartitionAndBrokerAllHold() {
    for (int i = 0; i < 20; i++) {
      append(0, 1000);
    }
    int one = OVERHEAD_BYTES + 1000;
    assertEquals(8 * one, lengths(fetch(-1, part(0, 0, -1)))[0]);
    assertEquals(2 * one, lengths(fetch(-1, part(0, 0, 3 * one - 1)))[0]);
    assertEquals(3 * one, lengths(fetch(4 * one - 1, part(0, 0, -1)))[0]);
  }

  @Test
  void offsetBetweenHighWatermarkAndLogEndIsEmpty() throws Exception {
    var commit = List.of(io.minikafka.topic.SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", commit, false).get();
    broker.store(topic, 0).holdForces = true;
    append(0, 10);
    append(0, 10);
    Fetch.Answer answer = fetch(5000, part(0, 2, 5000)).getFirst();
    assertEquals(ErrorCode.NONE, error(answer));
    assertEquals(0, answer.highWatermark());
    assertEquals(0, answer.entries().length());
    assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE, error(fetch(5000, part(0, 3, 5000)).getFirst()));
    broker.store(topic, 0).force();
  }

  @Test
  void offsetOutOfRangeTellsBothEnds() {
    append(0, 10);
    append(0, 10);
    broker.store(topic, 0).trimTo(1);
    for (long offset : new long[] {0, 3, -1, Long.MIN_VALUE}) {
      Fetch.Answer answer = fetch(5000, part(0, offset, 5000)).getFirst();
      assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE, error(answer));
      assertEquals(1, answer.logStart());
      assertEquals(2, answer.highWatermark());
    }
  }

  @Test
  void damagedRangeIsNamed() {
    append(0, 10);
    broker.store(topic, 0).insteadOfReading = Optional.of(new ReadResult.Damaged(0, 7));
    Fetch.Answer answer = fetch(5000, part(0, 0, 5000)).getFirst();
    assertEquals(ErrorCode.DAMAGED_RANGE, error(answer));
    assertEquals(0, answer.from());
    assertEquals(7, answer.to());
  }

  @Test
  void offlinePartitionFailsAlone() {
    append(0, 10);
    append(1, 10);
    broker.store(topic, 0).insteadOfReading = Optional.of(new ReadResult.Offline("broken"));
    List<Fetch.Answer> answers = fetch(5000, part(0, 0, 5000), part(1, 0, 5000));
    assertEquals(ErrorCode.STORAGE_FAILED, error(answers.get(0)));
    assertEquals(ErrorCode.NONE, error(answers.get(1)));
    assertEquals(OVERHEAD_BYTES + 10, lengths(answers)[1]);
  }

  @Test
  void failedReadFailsAlone() {
    append(0, 10);
    append(1, 10);
    broker.store(topic, 0).readFailure = Optional.of(new IOException("no luck"));
    List<Fetch.Answer> answers = fetch(5000, part(0, 0, 5000), part(1, 0, 5000));
    assertEquals(ErrorCode.STORAGE_FAILED, error(answers.get(0)));
    assertEquals(OVERHEAD_BYTES + 10, lengths(answers)[1]);
  }

  @Test
  void epochFromTheFutureMeansTheLogWasTruncated() {
    append(0, 10);
    Fetch.Partition ahead = new Fetch.Partition(topic.id(), 0, 1, 5, 5000);
    Fetch.Answer answer = fetch(5000, ahead).getFirst();
    assertEquals(ErrorCode.LOG_TRUNCATED, error(answer));
    assertEquals(1, answer.from());
    assertEquals(1, answer.to());
  }

  @Test
  void unknownTopicFailsAlone() {
    append(0, 10);
    Fetch.Partition unknown = new Fetch.Partition(new UUID(1, 1), 0, 0, 0, 5000);
    List<Fetch.Answer> answers = fetch(5000, unknown, part(0, 0, 5000));
    assertEquals(ErrorCode.UNKNOWN_TOPIC, error(answers.get(0)));
    assertEquals(OVERHEAD_BYTES + 10, lengths(answers)[1]);
  }

  @Test
  void coldDataIsReadOnTheWorkerAndComesFromMemory() {
    append(0, 10);
    append(1, 10);
    broker.store(topic, 0).cold = true;
    inTest = true;
    send(0, 1, 5000, part(0, 0, 5000), part(1, 0, 5000));
    assertEquals(0, replies.size());
    assertEquals(0, broker.store(topic, 0).reads.get());
    worker.remove().run();
    peer.run();
    assertEquals(1, pool.lent.get(), "the cold one is in memory");
    assertEquals(1, broker.stores.leases.get(), "the other is a slice");
    List<Fetch.Answer> answers = lastAnswers();
    assertEquals(List.of("0:xxxxxxxxxx"), Entries.records(answers.get(0).entries()));
    assertEquals(List.of("0:xxxxxxxxxx"), Entries.records(answers.get(1).entries()));
  }

  @Test
  void coldAnswerTakesNoMoreMemoryThanThereIsRoom() {
    for (int i = 0; i < 4; i++) {
      append(0, 1000);
    }
    pool.room = 2 * (OVERHEAD_BYTES + 1000);
    broker.store(topic, 0).cold = true;
    assertEquals(pool.room, lengths(afterPeer(5000, part(0, 0, 5000)))[0]);
  }

  private List<Fetch.Answer> afterPeer(int maxBytes, Fetch.Partition... parts) {
    send(0, 1, maxBytes, parts);
    peer.run();
    return lastAnswers();
  }

  @Test
  void congestedConnectionIsNotReadFor() {
    append(0, 10);
    peer.congested = true;
    send(0, 1, 5000, part(0, 0, 5000));
    send(0, 1, 5000, part(0, 0, 5000));
    assertEquals(0, broker.stores.leases.get());
    peer.congested = false;
    session.relieved();
    assertEquals(2, replies.size());
  }

  @Test
  void oneConnectionReadsAFewTimesAtOnceOnTheWorker() {
    append(0, 10);
    broker.store(topic, 0).cold = true;
    inTest = true;
    for (int i = 0; i < 10; i++) {
      send(0, 1, 5000, part(0, 0, 5000));
    }
    assertEquals(4, worker.size());
    while (!worker.isEmpty()) {
      worker.remove().run();
      peer.run();
    }
    assertEquals(10, replies.size());
  }

  @Test
  void abandonedReadOnTheWorkerGivesBackWhatItGot() {
    append(0, 10);
    broker.store(topic, 0).cold = true;
    inTest = true;
    send(0, 1, 5000, part(0, 0, 5000));
    session.close();
    assertEquals(new Reply.Abandoned<>(), replies.removeLast());
    worker.remove().run();
    peer.run();
    assertEquals(0, replies.size());
  }

  @Test
  void stoppedWorkerIsAnAnswer() {
    append(0, 10);
    broker.store(topic, 0).cold = true;
    workerStopped = true;
    send(0, 1, 5000, part(0, 0, 5000));
    assertEquals(ErrorCode.SHUTTING_DOWN, replies.removeLast().error());
  }

  @Test
  void stopAnswersWhoWaitsAndNobodyWaitsAfterwards() {
    send(5000, 1, 5000, part(0, 0, 5000));
    assertEquals(1, broker.parkedFetches.count());
    broker.dispatcher.stop();
    peer.run();
    assertEquals(1, replies.size());
    send(5000, 1, 5000, part(0, 0, 5000));
    peer.run();
    assertEquals(2, replies.size());
  }

  @Test
  void wakeDoesNothingButAskTheConnectionsThread() {
    send(5000, 1, 5000, part(0, 0, 5000));
    append(0, 10);
    append(0, 10);
    assertTrue(replies.isEmpty());
    peer.run();
    assertEquals(List.of("0:xxxxxxxxxx", "1:xxxxxxxxxx"), Entries.records(entriesOfFirst()));
  }

  private io.minikafka.codec.Blob entriesOfFirst() {
    return lastAnswers().getFirst().entries();
  }

  @Test
  void enoughIsMeasuredOverAllPartitionsWithoutKeepingLeases() {
    send(5000, 300, 5000, part(0, 0, 5000), part(1, 0, 5000));
    append(0, 10);
    peer.run();
    assertTrue(replies.isEmpty());
    assertEquals(0, broker.stores.leases.get());
    append(1, 10);
    peer.run();
    assertTrue(replies.isEmpty());
    append(2, 10);
    append(1, 10);
    peer.run();
    int[] lengths = lengths(lastAnswers());
    assertEquals(OVERHEAD_BYTES + 10, lengths[0]);
    assertEquals(2 * (OVERHEAD_BYTES + 10), lengths[1]);
  }

  @Test
  void moreThanCanComeIsNotWaitedFor() {
    append(0, 1000);
    append(0, 1000);
    send(5000, 1 << 30, 1200, part(0, 0, 1 << 30));
    assertFalse(replies.isEmpty());
    lengths(lastAnswers());
  }

  @Test
  void bugIsAnInternalErrorThatKeepsNothing() {
    append(0, 10);
    append(1, 10);
    broker.store(topic, 1).readBug = Optional.of(new IllegalStateException("a bug"));
    send(0, 1, 5000, part(0, 0, 5000), part(1, 0, 5000));
    assertEquals(ErrorCode.INTERNAL_ERROR, replies.removeLast().error());
    broker.store(topic, 1).cold = true;
    send(0, 1, 5000, part(0, 0, 5000), part(1, 0, 5000));
    peer.run();
    assertEquals(ErrorCode.INTERNAL_ERROR, replies.removeLast().error());
  }
}
