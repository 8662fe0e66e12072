package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What no client should send: the right error, nothing written, and the client beside it does not
 * notice.
 */
class BadInputTest extends DataPortHarness {
  private static final byte[] RECORD = Wire.record(0, "key", "value");

  private Topic topic;
  private WireClient bad;
  private WireClient neighbour;

  @BeforeEach
  void connectTwo() throws Exception {
    topic = create("t", 1);
    bad = connect();
    neighbour = connect();
    assertEquals(0, neighbour.ask(Requests.produce0(1, "t", 0, RECORD)).error());
  }

  @AfterEach
  void nothingWasWrittenAndTheNeighbourIsUndisturbed() throws Exception {
    Answer produced = neighbour.ask(Requests.produce0(2, "t", 0, RECORD));
    assertEquals(0, produced.error());
    assertEquals(1, produced.body().getLong(), "the second record ever written");
    Answer fetched = neighbour.ask(Requests.fetch0(3, 0, "t", 0, 0, 1 << 20));
    assertEquals(0, fetched.error());
    assertEquals(35 + 2 * RECORD.length, fetched.bytes().length);
    assertEquals(1, broker.topics.topics().size());
  }

  /** Sends the same in both versions; each has its way to say what is wrong. */
  private void assertRefused(byte[] version0, byte[] version1, ErrorCode code, String message)
      throws Exception {
    Answer zero = bad.ask(version0);
    assertEquals(code.forVersion0().code(), zero.error());
    assertEquals(0, zero.bytes().length);
    assertRefused(version1, code, message);
  }

  private void assertRefused(byte[] version1, ErrorCode code, String message) throws Exception {
    Answer one = bad.ask(version1);
    assertEquals(code.code(), one.error());
    String said = one.str();
    assertTrue(said.contains(message), said);
  }

  private void assertBatchRefused(ErrorCode code, String message, byte[]... records)
      throws Exception {
    assertRefused(
        Requests.produce0(7, "t", 0, records),
        Requests.produce1(7, topic.id(), 0, Wire.batch(records)),
        code,
        message);
  }

  @Test
  void unknownTopic() throws Exception {
    assertRefused(
        Requests.produce0(7, "nope", 0, RECORD),
        Requests.produce1(7, new java.util.UUID(0, 1), 0, Wire.batch(RECORD)),
        ErrorCode.UNKNOWN_TOPIC,
        "no topic with the id");
  }

  @Test
  void partitionMinusOne() throws Exception {
    assertRefused(
        Requests.produce0(7, "t", -1, RECORD),
        Requests.produce1(7, topic.id(), -1, Wire.batch(RECORD)),
        ErrorCode.UNKNOWN_TOPIC,
        "topic 't' has no partition 4294967295; there are 0 … 0");
  }

  @Test
  void largestPartition() throws Exception {
    assertRefused(
        Requests.produce0(7, "t", Integer.MAX_VALUE, RECORD),
        Requests.produce1(7, topic.id(), Integer.MAX_VALUE, Wire.batch(RECORD)),
        ErrorCode.UNKNOWN_TOPIC,
        "no partition 2147483647");
  }

  @Test
  void offsetBeyondTheEnd() throws Exception {
    assertOffsetRefused(2);
  }

  @Test
  void offsetAbove63Bits() throws Exception {
    assertOffsetRefused(-1);
  }

  @Test
  void offsetBelowTheStart() throws Exception {
    broker.store(topic, 0).trimTo(1);
    assertOffsetRefused(0);
    broker.store(topic, 0).trimTo(0);
  }

  private void assertOffsetRefused(long offset) throws Exception {
    long start = topic.partition(0).orElseThrow().snapshot().start();
    ByteBuffer zero = bad.ask(Requests.fetch0(7, 0, "t", 0, offset, 100)).body();
    assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE.code(), zero.getShort(10 + 4 + 5 + 4));
    assertEquals(1, zero.getLong(10 + 4 + 5 + 6), "the end");
    assertEquals(start, zero.getLong(10 + 4 + 5 + 14), "the start");
    ByteBuffer one = bad.ask(Requests.fetch1(7, 0, 1, topic.id(), 0, offset)).body();
    assertEquals(ErrorCode.OFFSET_OUT_OF_RANGE.code(), one.getShort(10 + 4 + 20));
    assertEquals(1, one.getLong(10 + 4 + 22), "the end");
    assertEquals(start, one.getLong(10 + 4 + 30), "the start");
  }

  @Test
  void oneFlippedBit() throws Exception {
    for (int bit = 0; bit < 8 * RECORD.length; bit += 37) {
      byte[] flipped = RECORD.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      if (bit >= 64) { // The offset is the broker's to write, and not covered.
        assertEquals(
            ErrorCode.CORRUPT_MESSAGE.code(),
            bad.ask(Requests.produce0(7, "t", 0, RECORD, flipped)).error());
      }
    }
  }

  @Test
  void oneFlippedBitInTheMarker() throws Exception {
    byte[] batch = Wire.batch(RECORD);
    batch[50] ^= 4;
    assertRefused(
        Requests.produce1(7, topic.id(), 0, batch), ErrorCode.CORRUPT_MESSAGE, "checksum");
  }

  @Test
  void countMismatch() throws Exception {
    byte[] twice = Wire.concat(RECORD, RECORD);
    byte[] request = Wire.body().str("t").u32(0).u32(3).blob(twice).frame(3, 0, 7);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), bad.ask(request).error());
    byte[] batch = Wire.concat(Wire.marker(1234, RECORD, RECORD), RECORD);
    assertRefused(
        Requests.produce1(7, topic.id(), 0, batch), ErrorCode.CORRUPT_MESSAGE, "announces");
  }

  @Test
  void countZero() throws Exception {
    byte[] request = Wire.body().str("t").u32(0).u32(0).blob(RECORD).frame(3, 0, 7);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), bad.ask(request).error());
    assertBatchRefused(ErrorCode.CORRUPT_MESSAGE, "without records");
  }

  @Test
  void countAbove31Bits() throws Exception {
    byte[] request = Wire.body().str("t").u32(0).u32(-1).blob(RECORD).frame(3, 0, 7);
    assertEquals(ErrorCode.CORRUPT_MESSAGE.code(), bad.ask(request).error());
  }

  @Test
  void keyLengthBeyondThePayload() throws Exception {
    byte[] record = RECORD.clone();
    ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(24, 9);
    assertBatchRefused(ErrorCode.CORRUPT_MESSAGE, "a key is longer", record);
  }

  @Test
  void nullKeyInVersion0() throws Exception {
    byte[] record = RECORD.clone();
    ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(24, -1);
    assertEquals(
        ErrorCode.CORRUPT_MESSAGE.code(), bad.ask(Requests.produce0(7, "t", 0, record)).error());
  }

  @Test
  void payloadOverTheLimit() throws Exception {
    broker
        .topics
        .alter(
            "t",
            List.of(io.minikafka.topic.SettingChange.set("max.message.bytes", "67000000")),
            false)
        .get();
    byte[] record = RECORD.clone();
    ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(8, (16 << 20) + 1);
    assertBatchRefused(ErrorCode.CORRUPT_MESSAGE, "16 MiB", record);
  }

  @Test
  void batchOverTheTopicsLimit() throws Exception {
    byte[] record = Wire.record(0, 1234, "k", new byte[1 << 20]);
    assertBatchRefused(ErrorCode.MESSAGE_TOO_LARGE, "max.message.bytes is 1048576", record);
  }

  @Test
  void frameThatAnnounces4GiB() throws Exception {
    bad.send(Wire.hex("ffffffff 03 00 01000000"));
    assertTrue(bad.isClosed());
    assertEquals(List.of("frame too long"), observed.refused);
    await("nothing is kept for it", () -> memory.usedBytes() == 0);
  }

  @Test
  void frameOneByteOverTheLimit() throws Exception {
    bad.send(Wire.body().u32(settings().maxFrameBytes() + 1).bytes());
    assertTrue(bad.isClosed());
    assertEquals(List.of("frame too long"), observed.refused);
  }

  @Test
  void frameOf3Bytes() throws Exception {
    bad.send(Wire.hex("03000000 03 00 01"));
    assertTrue(bad.isClosed());
    assertEquals(List.of("frame too short"), observed.refused);
  }

  @Test
  void emptyFrame() throws Exception {
    bad.send(Wire.hex("00000000"));
    assertTrue(bad.isClosed());
  }

  @Test
  void halfAFrameThenSilence() throws Exception {
    byte[] frame = Requests.produce0(7, "t", 0, RECORD);
    bad.send(java.util.Arrays.copyOf(frame, frame.length / 2));
    await("the half frame counts", () -> memory.usedBytes() > 0);
    assertClosedForItsSilence();
  }

  @Test
  void halfALengthThenSilence() throws Exception {
    bad.send(new byte[] {1, 0});
    assertClosedForItsSilence();
  }

  private void assertClosedForItsSilence() throws Exception {
    List<String> closed = List.of("frame timeout");
    long afterMs = advanceUntil("it is closed", () -> observed.refused.equals(closed));
    assertTrue(afterMs >= settings().frameTimeoutMs(), afterMs + " ms");
    assertTrue(afterMs < 2 * settings().frameTimeoutMs(), afterMs + " ms");
    assertTrue(bad.isClosed());
  }

  @Test
  void unknownApi() throws Exception {
    Answer answer = bad.ask(Wire.body().str("what?").frame(99, 1, 7));
    assertEquals(7, answer.correlationId());
    assertEquals(ErrorCode.UNKNOWN_API.code(), answer.error());
    assertEquals(0, answer.bytes().length);
  }

  @Test
  void unknownVersion() throws Exception {
    Answer answer = bad.ask(Wire.body().str("t").frame(2, 200, 7));
    assertEquals(ErrorCode.UNSUPPORTED_VERSION.code(), answer.error());
    assertEquals(0, answer.bytes().length);
  }

  @Test
  void namesThatAreNotUtf8() throws Exception {
    byte[] name = {'a', (byte) 0xc3, 0x28};
    assertRefused(
        Wire.body().blob(name).u32(1).frame(1, 0, 7),
        Wire.body().blob(name).u32(1).u8(0).u32(0).frame(1, 1, 7),
        ErrorCode.INVALID_REQUEST,
        "topic: not UTF-8");
  }

  @Test
  void namesThatLeaveTheDirectory() throws Exception {
    assertNameRefused("../x", "illegal character at index 2");
  }

  @Test
  void namesOf300Characters() throws Exception {
    assertNameRefused("x".repeat(300), "300 characters; the limit is 200");
  }

  @Test
  void namesWithANul() throws Exception {
    assertNameRefused("a\0b", "illegal character at index 1");
  }

  private void assertNameRefused(String name, String message) throws Exception {
    assertRefused(
        Wire.body().str(name).u32(1).frame(1, 0, 7),
        Wire.body().str(name).u32(1).u8(0).u32(0).frame(1, 1, 7),
        ErrorCode.INVALID_REQUEST,
        message);
  }

  @Test
  void partitionCountsOutOfRange() throws Exception {
    for (int count : new int[] {0, 10_001, -1}) {
      assertRefused(
          Wire.body().str("new").u32(count).frame(1, 0, 7),
          Wire.body().str("new").u32(count).u8(0).u32(0).frame(1, 1, 7),
          ErrorCode.INVALID_REQUEST,
          "outside 1 … 10000");
    }
  }

  @Test
  void lengthsBeyondTheFrame() throws Exception {
    byte[] cut = Wire.body().u32(1000).raw("t".getBytes(StandardCharsets.UTF_8)).bytes();
    assertRefused(
        Wire.body().raw(cut).frame(2, 0, 7),
        Wire.body().u32(1).raw(cut).frame(2, 1, 7),
        ErrorCode.INVALID_REQUEST,
        "length 1000 with 1 bytes left");
  }

  @Test
  void listsLongerThanTheFrame() throws Exception {
    assertRefused(
        Wire.body().u32(0).u32(-1).frame(4, 0, 7),
        Wire.body().u32(-1).frame(5, 1, 7),
        ErrorCode.INVALID_REQUEST,
        "4294967295 elements");
  }

  @Test
  void emptyBodies() throws Exception {
    for (int api = 1; api <= 5; api++) {
      assertEquals(
          ErrorCode.INVALID_REQUEST.code(), bad.ask(Wire.body().frame(api, 0, api)).error());
    }
  }

  @Test
  void fetchOfMorePartitionsThanOneMayName() throws Exception {
    int count = limits().maxFrameBytes() / 2 / 62 + 1;
    Wire body = Wire.body().u32(0).u32(0).u32(100).u32(3).u32(count);
    for (int i = 0; i < count; i++) {
      body.id(topic.id()).u32(0).u64(0).u32(0).u32(100);
    }
    assertRefused(body.frame(4, 1, 7), ErrorCode.LIMIT_REACHED, "the limit is " + (count - 1));
  }

  @Test
  void kindsThatTheClientMustKnow() throws Exception {
    byte[] fetch = Wire.body().u32(0).u32(0).u32(100).u32(1).u32(0).frame(4, 1, 7);
    assertRefused(fetch, ErrorCode.INVALID_REQUEST, "bits 0 (batch marker) and 1");
  }
}
