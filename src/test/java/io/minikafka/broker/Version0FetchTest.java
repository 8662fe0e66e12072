package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.ReadResult;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.Crc32c;
import io.minikafka.record.Entry;
import io.minikafka.record.Header;
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
    BrokerLimits limits = new BrokerLimits(1 << 20, 100_000, 60_000, 10);
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
    Entries.append(topic.partitions().getFirst(), Entries.copy(builder.version1()));
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
}
