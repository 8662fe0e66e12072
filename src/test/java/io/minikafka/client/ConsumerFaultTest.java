package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static io.minikafka.client.Reading.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a consumer makes of lost connections, refusals and bytes that are not right. */
@Timeout(30)
class ConsumerFaultTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  /** Answers a fetch with the entries of partition 0 from the asked offset, changed. */
  private static FakeServer.Behaviour changed(Consumer<ByteBuffer> change) {
    return request -> {
      Fetch.Request fetch = request.as(Fetch.Request.class);
      Fetch.Partition part = fetch.partitions().getFirst();
      FakeLog log = request.server().log("t", 0);
      ByteBuffer entries =
          ByteBuffer.wrap(log.read(part.offset(), part.maxBytes(), true))
              .order(ByteOrder.LITTLE_ENDIAN);
      change.accept(entries);
      request.reply(new Fetch.Response(List.of(answer(part, ErrorCode.NONE, 0, 0, entries))));
    };
  }

  private static FakeServer.Behaviour error(ErrorCode error, long from, long to) {
    return request -> {
      List<Fetch.Answer> answers = new ArrayList<>();
      for (Fetch.Partition part : request.as(Fetch.Request.class).partitions()) {
        answers.add(answer(part, error, from, to, ByteBuffer.allocate(0)));
      }
      request.reply(new Fetch.Response(answers));
    };
  }

  private static Fetch.Answer answer(
      Fetch.Partition part, ErrorCode error, long from, long to, ByteBuffer entries) {
    return new Fetch.Answer(
        part.topic(), part.partition(), error.code(), 99, 0, 7, from, to, Bytes.of(entries));
  }

  /** Index of the n-th record in entries that begin with a marker. */
  private static int recordAt(ByteBuffer entries, int n) {
    int at = 0;
    int left = n;
    while (left > 0 || BatchMarker.isMarker(entries, at)) {
      left -= BatchMarker.isMarker(entries, at) ? 0 : 1;
      at += Entry.bytes(entries, at);
    }
    return at;
  }

  /** An answer with a bit flipped in the body of its record of this number. */
  private static FakeServer.Behaviour flippedAt(int record) {
    return changed(
        entries -> {
          int at = recordAt(entries, record) + Entry.BODY;
          entries.put(at, (byte) (entries.get(at) ^ 0x10));
        });
  }

  @Test
  void aFlippedBitIsFoundAndTheRecordsBeforeItAreDelivered() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(Api.FETCH, flippedAt(3));
      consumer.assign(List.of(T0));

      assertEquals(named(0, 3), read(consumer, 3));
      CorruptDataException e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals(3, e.offset());
      assertEquals(3, consumer.position(T0));
      // The next answer is whole: nothing was lost and nothing comes twice.
      assertEquals(named(3, 7), read(consumer, 4));
    }
  }

  @Test
  void whatWasNotGoodIsAskedForAloneSoThatTheServerChecksItAndTheRestAsBefore() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(
          Api.FETCH,
          flippedAt(3),
          FakeServer.Request::answer,
          error(ErrorCode.DAMAGED_RANGE, 0, 5));
      consumer.assign(List.of(T0));
      assertEquals(named(0, 3), read(consumer, 3));
      CorruptDataException e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));
      assertEquals(OptionalLong.of(7), e.goOnAt());

      DamagedRangeException named =
          assertThrows(DamagedRangeException.class, () -> consumer.poll(LONG));

      assertEquals(1, maxBytesAsked(server, 3));
      consumer.seek(T0, named.to());
      assertEquals(named(5, 7), read(consumer, 2));
      assertTrue(maxBytesAsked(server, 5) > 1);
    }
  }

  /** By the last fetch from there on. */
  private static int maxBytesAsked(FakeServer server, long offset) {
    return server.received(Api.FETCH).stream()
        .map(request -> request.as(Fetch.Request.class).partitions().getFirst())
        .filter(part -> part.offset() == offset)
        .map(Fetch.Partition::maxBytes)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  @Test
  void whereTheMarkerIsNotGoodNobodyKnowsWhereTheBatchEnds() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(Api.FETCH, changed(entries -> entries.put(80, (byte) 77)));
      consumer.assign(List.of(T0));

      CorruptDataException e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals(OptionalLong.empty(), e.goOnAt());
      assertEquals(named(0, 7), read(consumer, 7));
    }
  }

  @Test
  void aHoleInsideAnAnswerIsFoundAndBothOffsetsAreNamed() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(
          Api.FETCH,
          changed(
              entries -> {
                for (int n = 4; n < 7; n++) {
                  entries.putLong(recordAt(entries, n), n + 2);
                }
              }));
      consumer.assign(List.of(T0));

      assertEquals(named(0, 4), read(consumer, 4));
      Exception e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertTrue(
          String.valueOf(e.getMessage())
              .endsWith("at offset 4: the entry found there carries offset 6"),
          e.getMessage());
    }
  }

  @Test
  void aHoleBetweenTwoAnswersIsFound() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server, s -> s.partitionMaxBytes(1))) {
      // Inside a batch compaction may have made it; between two batches nothing can.
      fill(server, T0, 0, 1);
      fill(server, T0, 1, 7);
      consumer.assign(List.of(T0));
      server.next(
          Api.FETCH,
          FakeServer.Request::answer,
          changed(entries -> entries.putLong(recordAt(entries, 0), 2)));

      assertEquals(named(0, 1), read(consumer, 1));
      Exception e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals("t-0: a hole: offset 1 was asked for, the answer begins with 2", e.getMessage());
    }
  }

  @Test
  void anOverlapIsFound() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server, s -> s.partitionMaxBytes(1))) {
      fill(server, T0, 0, 7);
      consumer.assign(List.of(T0));
      server.next(Api.FETCH, FakeServer.Request::answer, changed(entries -> entries.putLong(0, 0)));

      assertEquals(named(0, 1), read(consumer, 1));
      Exception e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals(
          "t-0: an overlap: offset 1 was asked for, the answer begins with 0", e.getMessage());
    }
  }

  @Test
  void offsetsMaySkipInsideABatchThatWasCompacted() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(
          Api.FETCH,
          changed(
              entries -> {
                entries.putInt(
                    Entry.KWORD, Entry.kwordOf(Entry.KIND_MARKER, BatchMarker.FLAG_COMPACTED));
                Entry.stampChecksum(entries, 0);
                entries.limit(recordAt(entries, 6));
                for (int n = 0; n < 6; n++) {
                  entries.putLong(recordAt(entries, n), 10 * n + 1);
                }
              }));
      consumer.assign(List.of(T0));

      assertEquals(named(0, 6), read(consumer, 6));

      assertEquals(52, consumer.position(T0));
    }
  }

  @Test
  void aBatchOfAnotherPartitionIsFound() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(
          Api.FETCH,
          changed(
              entries -> {
                entries.putLong(BatchMarker.PARTITION_HASH, 4711);
                Entry.stampChecksum(entries, 0);
              }));
      consumer.assign(List.of(T0));

      Exception e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals("t-0: the batch at offset 0 belongs to another partition", e.getMessage());
    }
  }

  @Test
  void bytesWithoutARecordAreAnErrorAndNoEndlessLoop() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(Api.FETCH, changed(entries -> entries.limit(BatchMarker.BYTES + 10)));
      consumer.assign(List.of(T0));

      Exception e = assertThrows(CorruptDataException.class, () -> consumer.poll(LONG));

      assertEquals("t-0: 106 bytes without a whole record", e.getMessage());
    }
  }

  @Test
  void aDamagedRangeIsNamedAndCanBeSkipped() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.next(Api.FETCH, error(ErrorCode.DAMAGED_RANGE, 0, 4));
      consumer.assign(List.of(T0));

      DamagedRangeException e =
          assertThrows(DamagedRangeException.class, () -> consumer.poll(LONG));

      assertEquals(
          "t-0: offsets 0 … 3 are damaged; seek to 4 to go on behind them", e.getMessage());
      consumer.seek(e.partition(), e.to());
      assertEquals(named(4, 7), read(consumer, 3));
    }
  }

  @Test
  void aTruncatedLogIsToldWithTheOffsetThatIsStillGood() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      consumer.assign(List.of(T0));
      read(consumer, 7);
      server.awaitReceived(Api.FETCH, 2);
      Fetch.Request second = server.received(Api.FETCH).get(1).as(Fetch.Request.class);
      assertEquals(FakeLog.EPOCH, second.partitions().getFirst().lastEpoch());
      server.next(Api.FETCH, error(ErrorCode.LOG_TRUNCATED, FakeLog.EPOCH, 5));

      LogTruncatedException e =
          assertThrows(LogTruncatedException.class, () -> consumer.poll(LONG));

      assertEquals(5, e.validTo());
    }
  }

  @Test
  void oneFailedPartitionDoesNotHoldBackTheOther() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        io.minikafka.client.Consumer consumer = consumer(server, s -> s.reset(ResetPolicy.FAIL))) {
      fill(server, T1, 0, 5);
      consumer.assign(List.of(T0, T1));
      consumer.seek(T0, 42);
      consumer.seek(T1, 0);

      assertEquals(named(0, 5), read(consumer, 5));
      OffsetOutOfRangeException e =
          assertThrows(OffsetOutOfRangeException.class, () -> consumer.poll(LONG));

      assertEquals(T0, e.partition());
    }
  }

  @Test
  void aLostConnectionCostsNothingAndRepeatsNothing() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server, s -> s.partitionMaxBytes(300))) {
      fill(server, T0, 0, 200);
      server.next(
          Api.FETCH,
          FakeServer.Request::answer,
          FakeServer.Request::drop,
          FakeServer.Request::answer,
          request -> {
            request.answer();
            request.drop();
          },
          FakeServer.Request::drop);
      consumer.assign(List.of(T0));

      assertEquals(named(0, 200), read(consumer, 200));
    }
  }

  @Test
  void aRestartedServerIsFoundAgainAtThePosition() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 5);
      consumer.assign(List.of(T0));
      read(consumer, 5);
      server.kill();
      assertEquals(List.of(), consumer.poll(Duration.ofMillis(30)));

      server.restart();

      fill(server, T0, 5, 9);
      assertEquals(named(5, 9), read(consumer, 4));
    }
  }

  @Test
  void anOutageThatLastsIsToldAndTheNextPollTriesAgain() throws Exception {
    FakeServer server = FakeServer.version1().topic("t", 1);
    ClientSettings client = server.client().outageMs(1).build();
    try (server;
        io.minikafka.client.Consumer consumer =
            io.minikafka.client.Consumer.open(ConsumerSettings.builder(client).build())) {
      fill(server, T0, 0, 5);
      server.kill();
      consumer.assign(List.of(T0));

      assertThrows(ConnectionException.class, () -> consumer.poll(LONG));

      server.restart();
      assertEquals(named(0, 5), read(consumer, 5));
    }
  }

  @Test
  void anAnswerForOtherPartitionsIsNotTakenForThisOne() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        io.minikafka.client.Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 5);
      server.next(Api.FETCH, request -> request.reply(new Fetch.Response(List.of())));
      consumer.assign(List.of(T0));

      assertEquals(named(0, 5), read(consumer, 5));
    }
  }
}
