package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.codec.Bytes;
import io.minikafka.golden.HexText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each way in which a produced batch can be wrong is told, and leaves the bytes as they were. */
class BatchCheckTest {
  private final byte[] login = Raw.plain(5, "user", "login");
  private final byte[] logout = Raw.plain(6, "user", "logout");

  // ---- what is right

  @Test
  void aVersion1BatchTellsWhatTheAppendNeeds() {
    byte[] batch = version1(Raw.nullKey(0, "a"), Raw.entry(0, 99, 0, Raw.utf8("b")));
    CheckedBatch checked =
        assertInstanceOf(
            CheckedBatch.class,
            BatchCheck.version1(Bytes.of(Raw.buffer(Raw.join(new byte[7], batch)).position(7))));
    assertEquals(7, checked.markerAt());
    assertEquals(103, checked.entriesAt());
    assertEquals(batch.length, checked.bytes());
    assertEquals(7 + batch.length, checked.limit());
    assertEquals(2, checked.span());
    assertEquals(99, checked.maxTimestamp());
    assertEquals(0, checked.firstKeyless());
    assertEquals(-1, checked.producerId());
    assertEquals(-1, checked.producerEpoch());
    assertEquals(-1, checked.baseSequence());
  }

  @Test
  void theFirstRecordWithoutAKeyIsTold() {
    byte[] noKey = Raw.ofKind(0, 1, 0, Raw.attributes(-1, 0, Raw.utf8("v")));
    byte[] emptyKey = Raw.ofKind(0, 1, 0, Raw.attributes(0, 0, Raw.utf8("v")));
    byte[] noBytes = Raw.plain(0, "", "v");
    assertEquals(-1, accepted(version1(login, emptyKey, noBytes)).firstKeyless());
    assertEquals(1, accepted(version1(login, noKey, noKey)).firstKeyless());
    assertEquals(0, accepted(version1(Raw.nullKey(0, ""), login)).firstKeyless());
    assertEquals(-1, ((CheckedBatch) version0(login, 1)).firstKeyless());
    assertEquals(1, ((CheckedBatch) version0(Raw.join(login, noBytes), 2)).firstKeyless());
  }

  @Test
  void producerFieldsComeThrough() {
    byte[] batch =
        changedMarker(
            version1(login),
            out -> {
              out.putShort(34, (short) 3);
              out.putInt(36, 40);
              out.putLong(40, 77);
            });
    CheckedBatch checked = accepted(batch);
    assertEquals(77, checked.producerId());
    assertEquals(3, checked.producerEpoch());
    assertEquals(40, checked.baseSequence());
  }

  @Test
  void theOffsetsInABatchDoNotMatter() {
    accepted(version1(Raw.plain(-1, "k", "v"), Raw.plain(Long.MIN_VALUE, "k", "v")));
  }

  // ---- flipped bits

  /** Bytes 0 to 7 of an entry are the broker's; all others are under a checksum. */
  @Test
  void anyFlippedBitOfAVersion1BatchIsFound() {
    byte[] batch = version1(login, logout);
    for (int at = 0; at < batch.length; at++) {
      boolean assigned = isOffset(at - 96, login.length);
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = batch.clone();
        flipped[at] ^= (byte) (1 << bit);
        BatchCheck result = BatchCheck.version1(Bytes.of(flipped));
        assertEquals(assigned, result instanceof CheckedBatch, "byte " + at + " bit " + bit);
      }
    }
  }

  @Test
  void anyFlippedBitOfAVersion0BatchIsFound() {
    byte[] batch = Raw.join(login, logout);
    for (int at = 0; at < batch.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = batch.clone();
        flipped[at] ^= (byte) (1 << bit);
        assertEquals(
            isOffset(at, login.length),
            version0(flipped, 2) instanceof CheckedBatch,
            "byte " + at + " bit " + bit);
      }
    }
  }

  private static boolean isOffset(int at, int first) {
    return (at >= 0 && at < 8) || (at >= first && at < first + 8);
  }

  // ---- version 0

  @Test
  void aCountThatIsNotThatOfTheRecordsIsRefused() {
    byte[] batch = Raw.join(login, logout);
    assertRefused("1 records announced, 2 found", version0(batch, 1));
    assertRefused("3 records announced, 2 found", version0(batch, 3));
    assertRefused("record count 0 is outside 1 … 2^31-1", version0(batch, 0));
    assertRefused("record count 4294967295 is outside 1 … 2^31-1", version0(batch, -1));
  }

  @Test
  void aBatchWithoutRecordsIsRefused() {
    assertRefused("a batch without records", version0(new byte[0], 1));
  }

  @Test
  void version0KnowsNoNullKeyAndNoExtensions() {
    for (byte[] entry :
        new byte[][] {
          Raw.nullKey(0, "v"),
          Raw.ofKind(0, 1, 0, Raw.attributes(1, 0, Raw.utf8("kv"))),
          Raw.ofKind(0, 0, 0, new byte[68]),
          Raw.spanning(0, 2, 1),
          Raw.spanning(0, 3, 1),
          Raw.spanning(0, 4, 1),
          Raw.spanning(0, 100, 1)
        }) {
      assertRefused(
          "record 1 of the batch: version 0 knows no null key and no extension entries",
          version0(Raw.join(login, entry), 2));
    }
  }

  @Test
  void aKeyLongerThanItsPayloadIsRefused() {
    byte[] lying = Raw.changed(logout, out -> out.putInt(24, 11));
    assertRefused(
        "record 1 of the batch: a key is longer than the payload that holds it",
        version0(Raw.join(login, lying), 2));
  }

  @Test
  void aPayloadOver16MebibytesIsRefused() {
    byte[] lying = Raw.changed(logout, out -> out.putInt(8, (16 << 20) + 1));
    assertRefused(
        "record 0 of the batch: a payload length is impossible for its kind or above 16 MiB",
        version0(lying, 1));
    byte[] huge = new byte[16 + (16 << 20) + 1];
    Raw.buffer(huge).putInt(8, (16 << 20) + 1);
    assertRefused(
        "record 0 of the batch: a payload length is impossible for its kind or above 16 MiB",
        version0(Raw.restamp(huge), 1));
  }

  @Test
  void anEntryBeyondTheEndIsRefused() {
    byte[] batch = Raw.join(login, logout);
    for (int length = login.length + 1; length < batch.length; length++) {
      assertRefused(
          "record 1 of the batch: an entry goes beyond the end of the data",
          version0(Arrays.copyOf(batch, length), 2));
    }
    assertRefused(
        "record 2 of the batch: an entry goes beyond the end of the data",
        version0(Arrays.copyOf(batch, batch.length + 1), 2));
  }

  @Test
  void withoutRoomForTheMarkerTheCallerIsWrong() {
    assertThrows(IllegalArgumentException.class, () -> BatchCheck.version0(Bytes.of(login), 1));
  }

  /** The room in front may hold something, until the batch is known to be good. */
  @Test
  void aRefusedBatchLeavesTheRoomInFrontOfItAlone() {
    byte[] frame = Raw.join(new byte[96], login);
    Arrays.fill(frame, 0, 96, (byte) 7);
    byte[] before = frame.clone();
    BatchCheck.version0(Bytes.of(Raw.buffer(frame).position(96)), 2);
    assertArrayEquals(before, frame);
  }

  // ---- version 1: the marker

  @Test
  void aBatchBeginsWithAMarker() {
    String expected = "the batch does not begin with a marker whose checksum holds";
    assertRefused(expected, BatchCheck.version1(Bytes.EMPTY));
    assertRefused(expected, BatchCheck.version1(Bytes.of(Raw.join(login, logout))));
    assertRefused(expected, BatchCheck.version1(Bytes.of(Arrays.copyOf(version1(login), 95))));
    assertRefused(expected, changedMarker(version1(login), out -> out.putInt(28, 0x32424b4d)));
    assertRefused(
        expected, changedMarker(version1(login), out -> out.putInt(24, Entry.kwordOf(4, 0))));
  }

  @Test
  void aMarkerOfAnotherVersionIsRefusedAsSuch() {
    assertRefused(
        "the batch marker has an unknown version",
        changedMarker(version1(login), out -> out.putShort(32, (short) 2)));
  }

  @Test
  void theFieldsOfTheBrokerAreZero() {
    String expected = "the fields of the marker that the broker fills are not zero";
    for (int at : new int[] {0, 64, 72, 80, 88}) {
      assertRefused(expected, changedMarker(version1(login), out -> out.putLong(at, 1)));
    }
    assertRefused(expected, changedMarker(version1(login), out -> out.putInt(60, 1)));
  }

  @Test
  void noFlagOfTheMarkerIsTheProducers() {
    for (int bit = 0; bit < 24; bit++) {
      int flag = 1 << bit;
      assertRefused(
          "the marker has flags no producer may set: 0x" + Integer.toHexString(flag),
          changedMarker(version1(login), out -> out.putInt(24, Entry.kwordOf(0, flag))));
    }
  }

  @Test
  void theMarkersNumbersAreThoseOfItsEntries() {
    byte[] batch = version1(login, logout);
    int bytes = login.length + logout.length;
    assertRefused(
        "the marker announces %d bytes of entries, %d found".formatted(bytes - 1, bytes),
        changedMarker(batch, out -> out.putInt(48, bytes - 1)));
    assertRefused(
        "the marker announces 4294967295 bytes of entries, %d found".formatted(bytes),
        changedMarker(batch, out -> out.putInt(48, -1)));
    assertRefused(
        "the marker announces 3 records, 2 found", changedMarker(batch, out -> out.putInt(52, 3)));
    assertRefused(
        "the marker announces 4294967295 records, 2 found",
        changedMarker(batch, out -> out.putInt(52, -1)));
    assertRefused(
        "the marker's largest timestamp is not that of its records",
        changedMarker(batch, out -> out.putLong(16, 8)));
    assertRefused(
        "the marker's hash is not that of its entries",
        changedMarker(batch, out -> out.putInt(56, out.getInt(56) + 1)));
  }

  @Test
  void entriesInAnotherOrderAreNotThoseOfTheMarker() {
    byte[] one = version1(login, logout);
    byte[] other = version1(logout, login);
    assertRefused(
        "the marker's hash is not that of its entries",
        BatchCheck.version1(
            Bytes.of(
                Raw.join(Arrays.copyOf(one, 96), Arrays.copyOfRange(other, 96, other.length)))));
  }

  @Test
  void aMarkerWithoutRecordsIsRefused() {
    assertRefused("a batch without records", BatchCheck.version1(Bytes.of(version1())));
  }

  // ---- version 1: the entries

  @Test
  void aProducerSendsRecordsOnly() {
    for (byte[] entry :
        new byte[][] {
          Arrays.copyOf(version1(login), 96),
          Raw.ofKind(0, 0, 0, new byte[68]),
          Raw.spanning(0, 2, 1),
          Raw.spanning(0, 3, 1),
          Raw.spanning(0, 4, 1),
          Raw.spanning(0, 5, 1),
          Raw.spanning(0, 126, 1),
          Raw.ofKind(0, 127, 0, new byte[] {1, 0, 0, 0})
        }) {
      assertRefused(
          "record 1 of the batch: a producer may send plain and attributed records only",
          BatchCheck.version1(Bytes.of(version1(login, entry))));
    }
  }

  @Test
  void unknownFlagsOfARecordAreRefused() {
    assertRefused(
        "record 0 of the batch: an attributed record's flags, headers and lengths do not agree",
        BatchCheck.version1(
            Bytes.of(version1(Raw.ofKind(0, 1, 4, Raw.attributes(1, 0, Raw.utf8("kv")))))));
  }

  @Test
  void headersThatLieAreRefused() {
    byte[] headers = Raw.headers(1, 9, "h", 1, "v");
    assertRefused(
        "record 0 of the batch: an attributed record's flags, headers and lengths do not agree",
        BatchCheck.version1(
            Bytes.of(version1(Raw.ofKind(0, 1, 2, Raw.attributes(-1, headers.length, headers))))));
  }

  @Test
  void aHeaderKeyThatIsNotTextIsRefusedAndAValueMayBeAnything() {
    byte[] value = Raw.headers(2, 1, "h", 2, new byte[] {-1, -2}, 2, "ä", -1);
    accepted(version1(Raw.ofKind(0, 1, 2, Raw.attributes(-1, value.length, value))));
    byte[] key = Raw.headers(2, 1, "h", -1, 2, new byte[] {'a', -1}, -1);
    assertRefused(
        "record 0 of the batch: a header's key is not UTF-8",
        BatchCheck.version1(
            Bytes.of(version1(Raw.ofKind(0, 1, 2, Raw.attributes(-1, key.length, key))))));
  }

  @Test
  void aWrongChecksumIsTold() {
    byte[] wrong = logout.clone();
    wrong[12] ^= 1;
    assertRefused(
        "record 1 of the batch: its checksum does not match its bytes",
        version0(Raw.join(login, wrong), 2));
  }

  @Test
  void theGoldenBatchesAreGood() throws IOException {
    accepted(HexText.golden("batch-produced"));
    assertInstanceOf(CheckedBatch.class, version0(HexText.golden("batch-v0-produced"), 2));
    assertRefused(
        "the fields of the marker that the broker fills are not zero",
        BatchCheck.version1(Bytes.of(HexText.golden("batch-stamped"))));
  }

  // ---- how they are made

  /** Marker and entries; everything in the marker is right. */
  static byte[] version1(byte[]... entries) {
    long hash = EntriesHash.start(entries.length);
    long maxTimestamp = Long.MIN_VALUE;
    for (byte[] entry : entries) {
      hash = EntriesHash.add(hash, Raw.buffer(entry).getLong(8));
      maxTimestamp = Math.max(maxTimestamp, Raw.buffer(entry).getLong(16));
    }
    byte[] all = Raw.join(entries);
    byte[] marker = new byte[96];
    BatchMarker.produced(maxTimestamp, all.length, entries.length, EntriesHash.finish(hash))
        .write(Raw.buffer(marker), 0);
    return Raw.join(marker, all);
  }

  private static byte[] changedMarker(byte[] batch, Consumer<ByteBuffer> change) {
    byte[] marker = Raw.changed(Arrays.copyOf(batch, 96), change);
    return Raw.join(marker, Arrays.copyOfRange(batch, 96, batch.length));
  }

  static BatchCheck version0(byte[] entries, int count) {
    return BatchCheck.version0(
        Bytes.of(Raw.buffer(Raw.join(new byte[96], entries)).position(96)), count);
  }

  private static CheckedBatch accepted(byte[] batch) {
    return switch (BatchCheck.version1(Bytes.of(batch))) {
      case CheckedBatch checked -> checked;
      case BatchCheck.Refused refused -> throw new AssertionError(refused.reason());
    };
  }

  private static void assertRefused(String reason, byte[] batch) {
    byte[] before = batch.clone();
    assertRefused(reason, BatchCheck.version1(Bytes.of(batch)));
    assertArrayEquals(before, batch);
  }

  private static void assertRefused(String reason, BatchCheck result) {
    assertEquals(new BatchCheck.Refused(reason), result);
  }

  static List<byte[]> someRecords() {
    byte[] headers = Raw.headers(2, 1, "h", 1, "v", 0, -1);
    return List.of(
        Raw.plain(0, "user", "login"),
        Raw.plain(0, "", ""),
        Raw.nullKey(0, "tick"),
        Raw.ofKind(0, 1, 1, Raw.attributes(1, 0, Raw.utf8("k"))),
        Raw.ofKind(0, 1, 2, Raw.attributes(1, headers.length, Raw.join(Raw.utf8("k"), headers))),
        Raw.ofKind(0, 1, 3, Raw.attributes(-1, headers.length, headers)));
  }
}
