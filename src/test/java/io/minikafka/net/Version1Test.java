package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Version 1 through the wire: what each API answers, and how errors look. */
class Version1Test extends DataPortHarness {
  private static final byte[] RECORD = Wire.record(0, "key", "value");

  static byte[] produce(UUID topic, int partition, int epoch, int durability, byte[] batch) {
    return Wire.body()
        .id(topic)
        .u32(partition)
        .u32(epoch)
        .u8(durability)
        .blob(batch)
        .frame(3, 1, 5);
  }

  private static void assertFails(Answer answer, ErrorCode code, String message) {
    assertEquals(code.code(), answer.error());
    String said = answer.str();
    assertTrue(said.contains(message), said);
    assertEquals(0, answer.blob().length);
    assertEquals(0, answer.body().remaining());
  }

  @Test
  void helloSaysWhatIsSpoken() throws Exception {
    Answer answer = connect().ask(Wire.body().str("me").str("1").frame(11, 1, 8));
    assertEquals(8, answer.correlationId());
    assertEquals(0, answer.error());
    assertEquals("cluster", answer.str());
    assertEquals("test", answer.str());
    assertEquals(7, answer.body().getInt());
    assertEquals(settings().maxFrameBytes(), answer.body().getInt());
    assertEquals(0, answer.body().get());
    assertEquals(0, answer.body().getInt());
    assertEquals(11, answer.body().getInt());
    byte[] apis = {
      1, 0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, 6, 0, 1, 7, 0, 1, 8, 0, 1, 9, 0, 1, 10, 0, 1, 11,
      1, 1
    };
    assertArrayEquals(apis, java.util.Arrays.copyOfRange(answer.bytes(), 0, apis.length));
  }

  @Test
  void clientNamesAreBounded() throws Exception {
    Answer answer = connect().ask(Wire.body().str("x".repeat(201)).str("1").frame(11, 1, 8));
    assertFails(answer, ErrorCode.INVALID_REQUEST, "the limit is 200");
  }

  @Test
  void createdTopicHasAnId() throws Exception {
    WireClient client = connect();
    byte[] request =
        Wire.body()
            .str("t")
            .u32(2)
            .u8(0)
            .u32(1)
            .str("max.message.bytes")
            .str("2048")
            .frame(1, 1, 1);
    Answer answer = client.ask(request);
    assertEquals(0, answer.error());
    Topic topic = broker.topics.topic("t").orElseThrow();
    assertArrayEquals(Wire.body().id(topic.id()).u32(2).bytes(), answer.bytes());
    assertEquals(2048, topic.settings().maxMessageBytes());
    assertFails(client.ask(request), ErrorCode.TOPIC_EXISTS, "exists already");
  }

  @Test
  void validatedTopicDoesNotExist() throws Exception {
    WireClient client = connect();
    Answer answer = client.ask(Wire.body().str("t").u32(2).u8(1).u32(0).frame(1, 1, 1));
    assertEquals(0, answer.error());
    assertArrayEquals(Wire.body().id(new UUID(0, 0)).u32(2).bytes(), answer.bytes());
    assertTrue(broker.topics.topic("t").isEmpty());
  }

  @Test
  void metadataOfAllTopics() throws Exception {
    Topic a = create("a", 1);
    Topic b = create("b", 2);
    Answer answer = connect().ask(Wire.body().u32(0).frame(2, 1, 1));
    byte[] expected =
        Wire.body()
            .str("cluster")
            .u32(1)
            .u32(7)
            .str("localhost")
            .u32(port)
            .u32(2)
            .u16(0)
            .str("a")
            .id(a.id())
            .u8(0)
            .u32(1)
            .u32(0)
            .u16(0)
            .u32(7)
            .u32(1)
            .u16(0)
            .str("b")
            .id(b.id())
            .u8(0)
            .u32(2)
            .u32(0)
            .u16(0)
            .u32(7)
            .u32(1)
            .u32(1)
            .u16(0)
            .u32(7)
            .u32(1)
            .bytes();
    assertArrayEquals(expected, answer.bytes());
  }

  @Test
  void metadataSaysWhichTopicIsUnknown() throws Exception {
    Answer answer = connect().ask(Wire.body().u32(1).str("nope").frame(2, 1, 1));
    assertEquals(0, answer.error());
    byte[] expected =
        Wire.body()
            .str("cluster")
            .u32(1)
            .u32(7)
            .str("localhost")
            .u32(port)
            .u32(1)
            .u16(ErrorCode.UNKNOWN_TOPIC.code())
            .str("nope")
            .id(new UUID(0, 0))
            .u8(0)
            .u32(0)
            .bytes();
    assertArrayEquals(expected, answer.bytes());
  }

  @Test
  void producedBatchIsFetchedAsItStandsInTheLog() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    byte[] batch = Wire.batch(RECORD, RECORD);
    Answer produced = client.ask(produce(topic.id(), 0, 1, 2, batch));
    assertEquals(0, produced.error());
    assertArrayEquals(
        Wire.body().u64(0).u64(2).u64(0).u64(1_000).u32(1).u8(2).u8(0).bytes(), produced.bytes());

    byte[] fetch =
        Wire.body()
            .u32(0)
            .u32(1)
            .u32(1 << 20)
            .u32(0x13)
            .u32(1)
            .id(topic.id())
            .u32(0)
            .u64(0)
            .u32(1)
            .u32(1 << 20)
            .frame(4, 1, 2);
    Answer fetched = client.ask(fetch);
    byte[] head =
        Wire.body().u32(1).id(topic.id()).u32(0).u16(0).u64(2).u64(0).u32(1).u64(0).u64(0).bytes();
    byte[] body = fetched.bytes();
    assertArrayEquals(head, java.util.Arrays.copyOf(body, head.length));
    byte[] entries = java.util.Arrays.copyOfRange(body, head.length + 4, body.length);
    assertEquals(batch.length, entries.length);
    assertArrayEquals(
        Wire.concat(Wire.record(0, "key", "value"), Wire.record(1, "key", "value")),
        java.util.Arrays.copyOfRange(entries, 96, entries.length));
    ByteBuffer marker = ByteBuffer.wrap(entries).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(1, marker.getInt(60), "log epoch");
    assertEquals(1_000, marker.getLong(72), "append time");
  }

  @Test
  void writtenAndFlushedAreSaidApart() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    Answer written = client.ask(produce(topic.id(), 0, 0, 1, Wire.batch(RECORD)));
    assertEquals(1, written.bytes()[36]);
    Answer flushed = client.ask(produce(topic.id(), 0, 0, 2, Wire.batch(RECORD)));
    assertEquals(2, flushed.bytes()[36]);
  }

  @Test
  void produceErrorsNameWhatIsWrong() throws Exception {
    Topic topic = create("t", 1);
    UUID id = topic.id();
    WireClient client = connect();
    byte[] good = Wire.batch(RECORD);
    assertFails(
        client.ask(produce(new UUID(1, 2), 0, 0, 0, good)),
        ErrorCode.UNKNOWN_TOPIC,
        "00000000-0000-0001-0000-000000000002");
    assertFails(
        client.ask(produce(id, -1, 0, 0, good)),
        ErrorCode.UNKNOWN_TOPIC,
        "no partition 4294967295");
    assertFails(
        client.ask(produce(id, Integer.MAX_VALUE, 0, 0, good)),
        ErrorCode.UNKNOWN_TOPIC,
        "no partition 2147483647");
    assertFails(
        client.ask(produce(id, 0, 2, 0, good)), ErrorCode.NOT_LEADER, "the request names 2");
    assertFails(client.ask(produce(id, 0, 0, 3, good)), ErrorCode.INVALID_REQUEST, "durability 3");
    assertFails(client.ask(produce(id, 0, 0, 0, RECORD)), ErrorCode.CORRUPT_MESSAGE, "marker");
    byte[] large = Wire.record(0, 1234, "k", new byte[1 << 20]);
    assertFails(
        client.ask(produce(id, 0, 0, 0, Wire.batch(large))),
        ErrorCode.MESSAGE_TOO_LARGE,
        "max.message.bytes is 1048576");
    assertEquals(0, topic.partition(0).orElseThrow().snapshot().end());
  }

  @Test
  void clientsDoNotWriteInternalTopics() throws Exception {
    broker.topics.ensureInternal("__own", 1, java.util.List.of()).get();
    Topic topic = broker.topics.topic("__own").orElseThrow();
    WireClient client = connect();
    assertFails(
        client.ask(produce(topic.id(), 0, 0, 0, Wire.batch(RECORD))),
        ErrorCode.FORBIDDEN,
        "__own belongs to the broker");
    byte[] version0 = Wire.body().str("__own").u32(0).u32(1).blob(RECORD).frame(3, 0, 9);
    assertEquals(ErrorCode.INVALID_REQUEST.code(), client.ask(version0).error());
    assertTrue(client.isClosed());
    assertEquals(0, topic.partition(0).orElseThrow().snapshot().end());
  }

  @Test
  void producersWithAnIdAreUnknown() throws Exception {
    Topic topic = create("t", 1);
    byte[] batch = Wire.batch(RECORD);
    ByteBuffer in = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
    in.putShort(34, (short) 0).putInt(36, 0).putLong(40, 17);
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(batch, 16, 80);
    in.putInt(12, (int) crc.getValue());
    assertFails(
        connect().ask(produce(topic.id(), 0, 0, 0, batch)),
        ErrorCode.UNKNOWN_PRODUCER,
        "producerId 17");
  }

  @Test
  void trailingBytesAreRefused() throws Exception {
    Answer answer = connect().ask(Wire.body().u32(0).u8(1).frame(2, 1, 1));
    assertFails(answer, ErrorCode.INVALID_REQUEST, "1 bytes too many");
  }

  @Test
  void listOffsetsByStartEndAndTime() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    byte[] early = Wire.record(0, 100, "k", new byte[1]);
    byte[] late = Wire.record(0, 1234, "k", new byte[1]);
    client.ask(produce(topic.id(), 0, 0, 0, Wire.batch(early, late)));
    Wire body = Wire.body().u32(6);
    for (long query : new long[] {-2, -1, -3, 101, 9999, -4}) {
      body.id(topic.id()).u32(0).u64(query);
    }
    Answer answer = client.ask(body.frame(5, 1, 1));
    Wire expected = Wire.body().u32(6);
    long[][] rows = {{0, 0, -1}, {0, 2, -1}, {0, 1, 1234}, {0, 1, 1234}, {0, -1, -1}, {4, -1, -1}};
    for (long[] row : rows) {
      expected.id(topic.id()).u32(0).u16((int) row[0]).u64(0).u64(2).u64(row[1]).u64(row[2]).u32(1);
    }
    assertArrayEquals(expected.bytes(), answer.bytes());
  }
}
