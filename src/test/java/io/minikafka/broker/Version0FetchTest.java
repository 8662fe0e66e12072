package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.ReadResult;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Crc32c;
import io.minikafka.record.Entry;
import io.minikafka.record.Header;
import io.minikafka.record.PartitionHash;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.Topic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a version 0 client gets to see of logs that hold more than it knows. */
class Version0FetchTest {
  @TempDir Path directory;

  private final HandTimers timers = new HandTimers();
  private final HeapPool pool = new HeapPool();
  private final HandPeer peer = new HandPeer();
  private final List<Reply<Fetch.ResponseV0>> replies = new ArrayList<>();
  private TestBroker broker;
  private Session session;
  private Topic topic;

  @BeforeEach
  void start() throws Exception {
    BrokerLimits limits = new BrokerLimits(1 << 20, 100_000, 60_000, 10, 1_000);
    broker =
        new TestBroker(
            directory, FlushPolicy.NONE, limits, timers, Runnable::run, pool, EngineObserver.NONE);
    topic = broker.create("t", 2);
    session = broker.dispatcher.open(TestBroker.caller(1), peer);
  }

  @AfterEach
  void everythingIsBack() throws Exception {
    session.close();
    assertEquals(0, broker.stores.leases.get());
    assertEquals(0, pool.lent.get());
    assertEquals(0, broker.parkedFetches.count());
    broker.close();
  }

  private void send(int maxWaitMs, long offset, int maxBytes) {
    session.request(
        Fetch.V0,
        new Fetch.RequestV0(maxWaitMs, List.of(new Fetch.PartitionV0("t", 0, offset, maxBytes))),
        replies::add);
    peer.run();
  }

  private Fetch.AnswerV0 answer() {
    if (replies.removeLast() instanceof Reply.Answer<Fetch.ResponseV0>(Fetch.ResponseV0 r)) {
      return r.answers().getFirst();
    }
    throw new AssertionError("no answer");
  }

  /** "offset:key:value" of plain records that fill the blob; checks each checksum. */
  private static List<String> plain(Fetch.AnswerV0 answer) {
    ByteBuffer in = Entries.take(answer.records());
    List<String> found = new ArrayList<>();
    int at = 0;
    while (at < in.limit()) {
      int payload = in.getInt(at + 8);
      assertEquals(Crc32c.of(in, at + 16, payload), in.getInt(at + 12));
      int key = in.getInt(at + 24);
      assertTrue(key >= 0, "a key in each");
      found.add(
          "%d:%s:%s"
              .formatted(
                  in.getLong(at),
                  text(in, at + 28, key),
                  text(in, at + 28 + key, payload - 12 - key)));
      at += 16 + payload;
    }
    return found;
  }

  private static String text(ByteBuffer in, int at, int length) {
    byte[] bytes = new byte[length];
    in.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<String> fetch(long offset, int maxBytes) {
    send(0, offset, maxBytes);
    return plain(answer());
  }

  /** Records of every kind there is, in one batch. */
  private void appendEveryKind() {
    Entries.append(topic.partitions().getFirst(), Entries.copy(everyKind()));
  }

  private static ByteBuffer everyKind() {
    BatchBuilder builder = new BatchBuilder(256);
    byte[] key = Entries.bytes("key");
    byte[] value = Entries.bytes("value");
    List<Header> headers = List.of(Header.of("h", Entries.bytes("1")));
    builder.append(1, key, value, List.of());
    builder.append(2, null, value, List.of());
    builder.append(3, key, null, List.of());
    builder.append(4, key, value, headers);
    builder.append(5, null, null, headers);
    builder.append(6, key, Entries.bytes(""), List.of());
    return builder.version1();
  }

  /** The same as the log of the partition holds it; position 0. */
  private ByteBuffer storedEveryKind(long baseOffset, int partition) {
    ByteBuffer sent = everyKind();
    ByteBuffer out = ByteBuffer.allocate(sent.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    out.put(sent).flip();
    long hash = PartitionHash.of(topic.partitions().get(partition).id());
    BatchMarker.stamp(out, 0, baseOffset, 1, 1000, 0, hash);
    for (int i = 0; i < EVERY_KIND.size(); i++) {
      out.putLong(recordAt(out, i), baseOffset + i);
    }
    return out;
  }

  private static int recordAt(ByteBuffer batch, int index) {
    int at = BatchMarker.BYTES;
    for (int i = 0; i < index; i++) {
      at += Entry.bytes(batch, at);
    }
    return at;
  }

  private void flipByte(ByteBuffer bytes, int at) {
    bytes.put(at, (byte) (bytes.get(at) ^ 1));
  }

  private int error(long offset) {
    send(0, offset, 10_000);
    Fetch.AnswerV0 answer = answer();
    assertEquals(0, answer.records().length());
    return answer.error();
  }

  private static final List<String> EVERY_KIND =
      List.of("0:key:value", "1::value", "2:key:", "3:key:value", "4::", "5:key:");

  private static ByteBuffer gap(long offset, int span) {
    ByteBuffer gap = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    gap.putLong(offset).putInt(16).putInt(0).putLong(0);
    gap.putInt(Entry.kwordOf(Entry.KIND_GAP, 0)).putInt(span).flip();
    Entry.stampChecksum(gap, 0);
    return gap;
  }

  @Test
  void everyKindBecomesAPlainRecord() {
    appendEveryKind();
    assertEquals(EVERY_KIND, fetch(0, 10_000));
  }

  @Test
  void plainRecordsKeepEveryByte() {
    Entries.append(topic.partitions().getFirst(), Entries.batch("a", "b"));
    send(0, 0, 10_000);
    ByteBuffer got = Entries.take(answer().records());
    ByteBuffer sent = Entries.batch("a", "b").buffer();
    sent.putLong(96, 0).putLong(96 + 30, 1);
    assertEquals(sent.slice(96, 60), got);
  }

  @Test
  void startsAtTheAskedOffsetInsideABatch() {
    appendEveryKind();
    for (int from = 0; from < EVERY_KIND.size(); from++) {
      assertEquals(EVERY_KIND.subList(from, EVERY_KIND.size()), fetch(from, 10_000));
    }
  }

  @Test
  void firstRecordComesWholeWhateverMaxBytes() {
    Entries.append(topic.partitions().getFirst(), Entries.batch("x".repeat(5000), "y"));
    assertEquals(List.of("0:k:" + "x".repeat(5000)), fetch(0, 0));
    assertEquals(List.of("1:k:y"), fetch(1, 1));
  }

  @Test
  void everyPartitionOfAnAnswerHasItsFirstRecord() {
    Entries.append(topic.partitions().get(0), Entries.batch("a"));
    Entries.append(topic.partitions().get(1), Entries.batch("b"));
    session.request(
        Fetch.V0,
        new Fetch.RequestV0(
            0, List.of(new Fetch.PartitionV0("t", 0, 0, 1), new Fetch.PartitionV0("t", 1, 0, 1))),
        replies::add);
    assertTrue(
        replies.removeLast() instanceof Reply.Answer<Fetch.ResponseV0>(Fetch.ResponseV0 response)
            && plain(response.answers().get(0)).equals(List.of("0:k:a"))
            && plain(response.answers().get(1)).equals(List.of("0:k:b")));
  }

  @Test
  void readsOnOverGapsUntilThereIsARecord() throws Exception {
    for (int i = 0; i < 100; i++) {
      broker.store(topic, 0).appendRaw(gap(10L * i, 10), 10L * (i + 1));
    }
    Entries.append(topic.partitions().getFirst(), Entries.batch("behind"));
    assertEquals(List.of("1000:k:behind"), fetch(5, 50));
  }

  @Test
  void waitsAtTheHighWatermarkBehindAGap() throws Exception {
    broker.store(topic, 0).appendRaw(gap(0, 10), 10);
    Entries.append(topic.partitions().getFirst(), Entries.batch("seen"));
    broker.store(topic, 0).appendRaw(gap(11, 9), 20);
    send(5000, 11, 100);
    assertTrue(replies.isEmpty());
    assertEquals(1, broker.parkedFetches.count());
    Entries.append(topic.partitions().getFirst(), Entries.batch("new"));
    peer.run();
    assertEquals(List.of("20:k:new"), plain(answer()));
  }

  @Test
  void gapThatComesWhileItWaitsDoesNotEndTheWaiting() throws Exception {
    Entries.append(topic.partitions().getFirst(), Entries.batch("seen"));
    send(5000, 1, 100);
    broker.store(topic, 0).appendRaw(gap(1, 9), 10);
    broker.parkedFetches.wake(topic.partitions().getFirst());
    peer.run();
    assertTrue(replies.isEmpty());
    timers.advanceMs(5000);
    peer.run();
    assertEquals(0, answer().records().length());
  }

  @Test
  void damageIsCorruptionToVersion0() {
    Entries.append(topic.partitions().getFirst(), Entries.batch("a"));
    broker.store(topic, 0).insteadOfReading = Optional.of(new ReadResult.Damaged(0, 7));
    send(0, 0, 100);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), answer().error());
  }

  @Test
  void entriesThatCannotBeWalkedAreCorruptionOfTheirPartition() {
    Entries.append(topic.partitions().getFirst(), Entries.batch("a"));
    broker.store(topic, 0).insteadOfReading =
        Optional.of(new ReadResult.Entries(Bytes.of(new byte[40]), 1));
    send(0, 0, 100);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), answer().error());
  }

  @Test
  void damagedRecordOfAnyKindIsNotGivenANewChecksum() throws Exception {
    for (int damaged = 0; damaged < EVERY_KIND.size(); damaged++) {
      long base = 6L * damaged;
      ByteBuffer batch = storedEveryKind(base, 0);
      flipByte(batch, recordAt(batch, damaged) + Entry.TIMESTAMP);
      broker.store(topic, 0).appendRaw(batch, base + 6);
      if (damaged > 0) {
        assertEquals(damaged, fetch(base, 10_000).size(), "those before it come first");
      }
      assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), error(base + damaged));
      if (damaged < 5) {
        assertEquals(5 - damaged, fetch(base + damaged + 1, 10_000).size(), "those behind it");
      }
    }
  }

  @Test
  void batchOfAnotherPartitionIsNotServed() throws Exception {
    broker.store(topic, 0).appendRaw(storedEveryKind(0, 0), 6);
    broker.store(topic, 0).appendRaw(storedEveryKind(6, 1), 12);
    assertEquals(EVERY_KIND, fetch(0, 10_000));
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), error(6));
  }

  @Test
  void batchBehindADamagedMarkerIsNotServed() throws Exception {
    ByteBuffer batch = storedEveryKind(0, 0);
    flipByte(batch, BatchMarker.BYTES - 1);
    broker.store(topic, 0).appendRaw(batch, 6);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), error(0));
  }

  @Test
  void recordThatCarriesAnotherOffsetIsNotServed() throws Exception {
    ByteBuffer batch = storedEveryKind(0, 0);
    batch.putLong(recordAt(batch, 3), 4);
    broker.store(topic, 0).appendRaw(batch, 6);
    assertEquals(EVERY_KIND.subList(0, 3), fetch(0, 10_000));
  }

  /** Waits at 3, where the log ends at 5 and nothing is visible. */
  private void waitAboveTheHighWatermark() throws Exception {
    var commit = List.of(SettingChange.set("flush.policy", "commit"));
    broker.topics.alter("t", commit, false).get();
    broker.store(topic, 0).holdForces = true;
    for (int i = 0; i < 5; i++) {
      Entries.append(topic.partitions().getFirst(), Entries.batch("v" + i));
    }
    send(4000, 3, 10_000);
    assertTrue(replies.isEmpty());
    assertEquals(1, broker.parkedFetches.count());
  }

  @Test
  void offsetAboveTheHighWatermarkWaitsUntilItsTimeIsOver() throws Exception {
    waitAboveTheHighWatermark();
    timers.advanceMs(3999);
    peer.run();
    assertTrue(replies.isEmpty());
    timers.advanceMs(1);
    peer.run();
    Fetch.AnswerV0 answer = answer();
    assertEquals(ErrorCode.NONE.code(), answer.error());
    assertEquals(0, answer.records().length());
  }

  @Test
  void offsetAboveTheHighWatermarkIsWokenWhenItBecomesVisible() throws Exception {
    waitAboveTheHighWatermark();
    broker.store(topic, 0).force();
    peer.run();
    assertEquals(List.of("3:k:v3", "4:k:v4"), plain(answer()));
  }

  @Test
  void withoutRoomItWaitsInsteadOfReadingAgainAndAgain() {
    Entries.append(topic.partitions().getFirst(), Entries.batch("a"));
    pool.room = 0;
    send(4000, 0, 100);
    assertEquals(1, broker.parkedFetches.count());
    pool.room = 1000;
    timers.advanceMs(4000);
    peer.run();
    assertEquals(List.of("0:k:a"), plain(answer()));
  }
}
