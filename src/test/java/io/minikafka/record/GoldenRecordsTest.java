package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.minikafka.PartitionId;
import io.minikafka.codec.Bytes;
import io.minikafka.golden.HexText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records, batches and markers are, byte for byte, what the golden files say. */
class GoldenRecordsTest {
  private static final long TIME = 1_700_000_000_000L;
  private static final PartitionId PARTITION =
      new PartitionId(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 1);

  @Test
  void aPlainRecord() throws IOException {
    isGolden("record-plain", TIME, "user-1", "login");
  }

  @Test
  void aKeyOfNoBytes() throws IOException {
    isGolden("record-empty-key", TIME, "", "login");
  }

  @Test
  void aNullKey() throws IOException {
    isGolden("record-null-key", TIME, null, "login");
  }

  @Test
  void aValueOfNoBytes() throws IOException {
    isGolden("record-empty-value", TIME, "user-1", "");
  }

  @Test
  void aNullValue() throws IOException {
    isGolden("record-null-value", TIME, "user-1", null);
  }

  @Test
  void headers() throws IOException {
    isGolden(
        "record-headers",
        TIME,
        "user-1",
        "login",
        Header.of("trace", bytes("a1")),
        new Header("debug", Optional.empty()));
  }

  @Test
  void headersWithNeitherKeyNorValue() throws IOException {
    isGolden("record-nothing", -1, null, null, Header.of("h", bytes("")));
  }

  private static void isGolden(
      String name, long timestamp, @Nullable String key, @Nullable String value, Header... headers)
      throws IOException {
    byte[] golden = HexText.golden(name);
    BatchBuilder builder =
        new BatchBuilder(16)
            .append(timestamp, bytesOrNull(key), bytesOrNull(value), List.of(headers));
    assertArrayEquals(golden, array(builder.version0()));

    RecordReader reader = new RecordReader(buffer(golden), 0);
    RecordView read = Objects.requireNonNull(reader.next());
    assertEquals(0, read.offset());
    assertEquals(timestamp, read.timestamp());
    assertEquals(Optional.ofNullable(bytesOrNull(key)).map(Bytes::of), read.key());
    assertEquals(Optional.ofNullable(bytesOrNull(value)).map(Bytes::of), read.value());
    assertEquals(List.of(headers), read.headers());
    assertEquals(golden.length, read.bytes());
    assertNull(reader.next());
  }

  @Test
  void aBatchAsItIsProduced() throws IOException {
    assertArrayEquals(HexText.golden("batch-produced"), array(login().version1()));
  }

  @Test
  void aBatchAsItIsStamped() throws IOException {
    byte[] produced = HexText.golden("batch-produced");
    CheckedBatch batch =
        assertInstanceOf(CheckedBatch.class, BatchCheck.version1(Bytes.of(produced)));
    stampAt1000(batch);
    assertArrayEquals(HexText.golden("batch-stamped"), produced);
  }

  @Test
  void theMarkerOfAStampedBatchReadsBack() throws IOException {
    ByteBuffer in = buffer(HexText.golden("batch-stamped"));
    assertEquals(BatchMarker.Check.GOOD, BatchMarker.check(in, 0, in.limit()));
    assertEquals(
        new BatchMarker(
            1000,
            TIME + 5,
            0,
            (short) -1,
            -1,
            -1,
            100,
            2,
            0x771bf03f,
            3,
            1000,
            TIME + 100,
            990,
            0x712e6d02e0403b32L),
        BatchMarker.read(in, 0));
  }

  @Test
  void writingAMarkerIsTheReverseOfReadingIt() throws IOException {
    byte[] golden = HexText.golden("batch-stamped");
    ByteBuffer out = ByteBuffer.allocate(golden.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(96, golden, 96, golden.length - 96);
    BatchMarker.read(buffer(golden), 0).write(out, 0);
    assertArrayEquals(golden, out.array());
  }

  @Test
  void aVersion0BatchGetsItsMarkerWrittenInFront() throws IOException {
    byte[] sent = HexText.golden("batch-v0-produced");
    ByteBuffer frame = ByteBuffer.allocate(96 + sent.length).put(96, sent);
    CheckedBatch batch =
        assertInstanceOf(
            CheckedBatch.class, BatchCheck.version0(Bytes.of(frame.slice().position(96)), 2));
    stampAt1000(batch);
    assertArrayEquals(HexText.golden("batch-v0-stamped"), frame.array());
  }

  @Test
  void aVersion0ClientIsGivenPlainRecords() throws IOException {
    RecordReader reader = new RecordReader(buffer(HexText.golden("batch-stamped")), 1000);
    ByteBuffer out = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
    int bytes = 0;
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      bytes += V0Entries.convertedBytes(record);
      V0Entries.convert(record, out);
    }
    assertEquals(bytes, out.position());
    assertArrayEquals(HexText.golden("batch-stamped-for-v0"), array(out.flip()));
  }

  @Test
  void aGapIsWalkedOver() throws IOException {
    byte[] golden = HexText.golden("entry-gap");
    ByteBuffer in = buffer(golden);
    assertEquals(Entry.Problem.NONE, Entry.problem(in, 0, in.limit()));
    assertEquals(Entry.KIND_GAP, Entry.kind(Entry.kword(in, 0)));
    assertEquals(5, Entry.span(in, 0));
    RecordReader reader = new RecordReader(in, 10);
    assertNull(reader.next());
    assertEquals(15, reader.nextOffset());
  }

  @Test
  void aGapThatARepairLeftIsWalkedOverAndKnown() throws IOException {
    ByteBuffer in = buffer(HexText.golden("entry-gap-lost"));
    assertEquals(Entry.Problem.NONE, Entry.problem(in, 0, in.limit()));
    assertEquals(Entry.KIND_GAP, Entry.kind(Entry.kword(in, 0)));
    assertEquals(Entry.FLAG_LOST, Entry.flags(Entry.kword(in, 0)));
    RecordReader reader = new RecordReader(in, 10);
    assertNull(reader.next());
    assertEquals(15, reader.nextOffset());
  }

  @Test
  void aCompactedBatchKeepsItsPlaceAndBindsWhatIsLeft() throws IOException {
    ByteBuffer whole = buffer(HexText.golden("batch-stamped"));
    byte[] golden = HexText.golden("batch-compacted");
    ByteBuffer in = buffer(golden);
    BatchMarker left = BatchMarker.read(in, 0);
    BatchMarker before = BatchMarker.read(whole, 0);
    assertEquals(BatchMarker.Check.GOOD, BatchMarker.check(in, 0, in.limit()));
    assertEquals(BatchMarker.FLAG_COMPACTED, left.flags());
    assertEquals(before.baseOffset(), left.baseOffset());
    assertEquals(before.span(), left.span());
    assertEquals(before.appendTime(), left.appendTime());
    assertEquals(golden.length - BatchMarker.BYTES, left.bytes());
    long hash = EntriesHash.add(EntriesHash.start(2), in.getLong(BatchMarker.BYTES + Entry.LENGTH));
    assertEquals(EntriesHash.finish(hash), left.entriesHash());
    RecordReader reader = new RecordReader(in, 1000);
    assertEquals(1001, java.util.Objects.requireNonNull(reader.next()).offset());
    assertNull(reader.next());
  }

  private static BatchBuilder login() {
    return new BatchBuilder(16)
        .append(TIME, bytes("user-1"), bytes("login"), List.of())
        .append(TIME + 5, null, bytes("logout"), List.of(Header.of("trace", bytes("a1"))));
  }

  private static void stampAt1000(CheckedBatch batch) {
    ByteBuffer out = batch.buffer();
    long offset = 1000;
    for (int at = batch.entriesAt(); at < batch.limit(); at += Entry.bytes(out, at)) {
      out.putLong(at, offset++);
    }
    BatchMarker.stamp(out, batch.markerAt(), 1000, 3, TIME + 100, 990, PartitionHash.of(PARTITION));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] bytesOrNull(@Nullable String text) {
    return text == null ? null : bytes(text);
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
