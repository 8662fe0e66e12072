package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a consumer gets from the bytes of a fetch, and what it refuses. */
class RecordReaderTest {
  private static final int COMPACTED = BatchMarker.FLAG_COMPACTED;

  @Test
  void recordsComeInOrderAndMarkersAndGapsDoNot() {
    assertEquals(
        List.of(10L, 11L, 15L),
        offsets(
            10,
            marker(10, 0),
            Raw.plain(10, "a", ""),
            Raw.nullKey(11, "b"),
            Raw.spanning(12, 4, 3),
            marker(15, 0),
            Raw.plain(15, "c", "")));
  }

  @Test
  void recordsBelowTheAskedOffsetArePassedOver() {
    assertEquals(
        List.of(11L),
        offsets(
            11, marker(9, 0), Raw.plain(9, "", ""), Raw.plain(10, "", ""), Raw.plain(11, "", "")));
  }

  @Test
  void theFirstEntryMayLieBehindTheAskedOffset() {
    assertEquals(List.of(20L), offsets(11, Raw.plain(20, "", "")));
  }

  @Test
  void theNextOffsetIsBehindTheLastEntry() {
    RecordReader reader = reader(10, Raw.plain(10, "", ""), Raw.spanning(11, 4, 9));
    assertEquals(10, reader.nextOffset());
    reader.next();
    assertEquals(11, reader.nextOffset());
    assertNull(reader.next());
    assertEquals(20, reader.nextOffset());
    assertNull(reader.next());
  }

  /** An answer that ends in the middle of what was asked for is ordinary. */
  @Test
  void anEntryCutOffAtTheEndEndsTheWalk() {
    byte[] whole = Raw.join(Raw.plain(10, "k", "v"), Raw.plain(11, "k", "v"));
    for (int length = 30; length < whole.length; length++) {
      RecordReader reader = new RecordReader(Raw.buffer(Arrays.copyOf(whole, length)), 10);
      assertEquals(10, Objects.requireNonNull(reader.next()).offset());
      assertNull(reader.next(), "cut to " + length);
      assertEquals(11, reader.nextOffset());
    }
  }

  @Test
  void aFlippedBitIsFoundWhereverItIs() {
    byte[] whole =
        Raw.join(marker(10, 0), Raw.plain(10, "key", "value"), Raw.plain(11, "key", "value"));
    int last = 96 + 28 + 8;
    for (int at = 0; at < whole.length; at++) {
      // A longer last entry looks cut off, and ends the walk.
      boolean lengthOfTheLast = at >= last + 8 && at < last + 12;
      // The offset of the first entry is whatever it is.
      if (at < 8 || lengthOfTheLast) {
        continue;
      }
      byte[] flipped = whole.clone();
      flipped[at] ^= 4;
      boolean found = false;
      try {
        List<Long> read = all(new RecordReader(Raw.buffer(flipped), 10));
        // A length that claims more than there is ends the walk early; nothing wrong comes out.
        found = read.size() < 2 && (at == 8 || (at > 8 && at < 12) || isLength(at));
      } catch (CorruptEntryException e) {
        found = true;
      }
      assertEquals(true, found, "byte " + at);
    }
  }

  private static boolean isLength(int at) {
    return at >= 96 + 8 && at < 96 + 12;
  }

  @Test
  void aMissingRecordIsFound() {
    assertCorrupt(
        11,
        "corrupt entry at offset 11: the entry found there carries offset 12",
        Raw.plain(10, "", ""),
        Raw.plain(12, "", ""));
  }

  @Test
  void aRecordThatComesTwiceIsFound() {
    assertCorrupt(
        11,
        "corrupt entry at offset 11: the entry found there carries offset 10",
        Raw.plain(10, "", ""),
        Raw.plain(10, "", ""));
  }

  @Test
  void insideACompactedBatchOffsetsSkipButNeverFall() {
    assertEquals(
        List.of(12L, 15L, 30L),
        offsets(
            10,
            marker(10, COMPACTED),
            Raw.plain(12, "", ""),
            Raw.plain(15, "", ""),
            marker(30, 0),
            Raw.plain(30, "", "")));
    assertCorrupt(
        16,
        "corrupt entry at offset 16: the entry found there carries offset 15",
        marker(10, COMPACTED),
        Raw.plain(15, "", ""),
        Raw.plain(15, "", ""));
    assertCorrupt(
        31,
        "corrupt entry at offset 31: the entry found there carries offset 33",
        marker(10, COMPACTED),
        Raw.plain(12, "", ""),
        marker(30, 0),
        Raw.plain(30, "", ""),
        Raw.plain(33, "", ""));
  }

  @Test
  void aWrongChecksumIsFound() {
    byte[] wrong = Raw.plain(11, "k", "v");
    wrong[wrong.length - 1] ^= 1;
    assertCorrupt(
        11,
        "corrupt entry at offset 11: its checksum does not match its bytes",
        Raw.plain(10, "", ""),
        wrong);
  }

  @Test
  void anImpossibleShapeIsFound() {
    assertCorrupt(
        11,
        "corrupt entry at offset 11: a key is longer than the payload that holds it",
        Raw.plain(10, "", ""),
        Raw.entry(11, 0, 50, new byte[9]));
    assertCorrupt(
        10,
        "corrupt entry at offset 10:"
            + " a payload length is impossible for its kind or above 16 MiB",
        Raw.changed(Raw.plain(10, "", ""), out -> out.putInt(8, 1 << 25)));
  }

  @Test
  void anOffsetBelowZeroOrBeyondTheLastIsFound() {
    assertCorrupt(0, "corrupt entry at offset 0: an impossible offset -1", Raw.plain(-1, "", ""));
    assertCorrupt(
        0,
        "corrupt entry at offset 0: an impossible offset 9223372036854775807",
        Raw.plain(Long.MAX_VALUE, "", ""));
    assertCorrupt(
        0,
        "corrupt entry at offset 0: an impossible offset 9223372036854775800",
        Raw.spanning(Long.MAX_VALUE - 7, 4, 8));
  }

  /** Passing over them would lose the records in them without a word. */
  @Test
  void kindsThatMayHoldRecordsItCannotGiveAreRefused() {
    for (int kind : new int[] {2, 3, 5, 126}) {
      assertCorrupt(
          11,
          "corrupt entry at offset 11: an entry of kind %d, unknown here".formatted(kind),
          Raw.plain(10, "", ""),
          Raw.spanning(11, kind, 5));
    }
  }

  @Test
  void offsetsThatARepairGaveUpAreToldAndThoseThatCompactionTookAreNot() {
    byte[] span = Raw.buffer(new byte[4]).putInt(3).array();
    List<String> lost = new ArrayList<>();
    RecordReader reader =
        new RecordReader(
            Raw.buffer(
                Raw.join(
                    Raw.spanning(10, Entry.KIND_GAP, 2),
                    Raw.plain(12, "", ""),
                    Raw.ofKind(13, Entry.KIND_GAP, Entry.FLAG_LOST, span),
                    Raw.plain(16, "", ""),
                    Raw.ofKind(17, Entry.KIND_GAP, Entry.FLAG_LOST, span))),
            10,
            false,
            (from, to) -> lost.add(from + " " + to));
    assertEquals(List.of(12L, 16L), all(reader));
    assertEquals(List.of("13 16", "17 20"), lost);
  }

  @Test
  void lostOffsetsBelowTheAskedOneAreNotTold() {
    byte[] span = Raw.buffer(new byte[4]).putInt(3).array();
    for (long from : new long[] {11, 13}) {
      List<String> lost = new ArrayList<>();
      byte[] gap = Raw.ofKind(10, Entry.KIND_GAP, Entry.FLAG_LOST, span);
      all(
          new RecordReader(
              Raw.buffer(gap), from, false, (first, next) -> lost.add(first + " " + next)));
      assertEquals(from == 11 ? List.of("11 13") : List.of(), lost);
    }
  }

  @Test
  void theBufferIsLeftAsItWas() {
    ByteBuffer in = Raw.buffer(Raw.join(new byte[3], Raw.plain(10, "", ""), new byte[60]));
    in.position(3).limit(31);
    assertEquals(List.of(10L), all(new RecordReader(in, 0)));
    assertEquals(3, in.position());
    assertEquals(31, in.limit());
  }

  private static byte[] marker(long baseOffset, int flags) {
    byte[] marker = new byte[96];
    new BatchMarker(baseOffset, 0, flags, (short) -1, -1, -1, 0, 1, 0, 1, baseOffset, 0, 0, 0)
        .write(Raw.buffer(marker), 0);
    return marker;
  }

  private static RecordReader reader(long from, byte[]... entries) {
    return new RecordReader(Raw.buffer(Raw.join(entries)), from);
  }

  private static List<Long> offsets(long from, byte[]... entries) {
    return all(reader(from, entries));
  }

  private static List<Long> all(RecordReader reader) {
    List<Long> offsets = new ArrayList<>();
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      offsets.add(record.offset());
    }
    return offsets;
  }

  private static void assertCorrupt(long offset, String message, byte[]... entries) {
    CorruptEntryException e =
        assertThrows(CorruptEntryException.class, () -> offsets(Math.min(offset, 10), entries));
    assertEquals(message, e.getMessage());
    assertEquals(offset, e.offset());
  }
}
