package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.record.Entry.Problem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The shape of every kind of entry, and how to walk past it. */
class EntryTest {
  @Test
  void kindsAreReadFromTheWord() {
    assertEquals(Entry.PLAIN, Entry.kind(0));
    assertEquals(Entry.PLAIN, Entry.kind(Integer.MAX_VALUE));
    assertEquals(Entry.PLAIN, Entry.kind(-1));
    for (int kind = 0; kind < 128; kind++) {
      assertEquals(kind, Entry.kind(Entry.kwordOf(kind, 0)));
      assertEquals(0x123456, Entry.flags(Entry.kwordOf(kind, 0x123456)));
    }
    assertEquals(127, Entry.kind(-2));
  }

  @Test
  void everyKindIsWalkedByItsSpan() {
    assertSpan(1, Raw.plain(0, "k", "v"));
    assertSpan(1, Raw.nullKey(0, "v"));
    assertSpan(1, Raw.ofKind(0, 1, 0, Raw.attributes(1, 0, Raw.utf8("kv"))));
    assertSpan(0, marker());
    for (int kind = 2; kind < 127; kind++) {
      for (int span : new int[] {1, 5, Integer.MAX_VALUE}) {
        assertSpan(span, Raw.spanning(0, kind, span));
        assertSpan(span, Raw.ofKind(0, kind, 0xffffff, spanAndMore(span)));
      }
    }
    assertSpan(9, Raw.ofKind(0, 127, 0, spanAndMore(9)));
  }

  @Test
  void aSpanIsAtLeastOneAndAtMostTwoToThe31Less1() {
    for (int kind = 2; kind < 127; kind++) {
      assertProblem(Problem.SPAN, Raw.spanning(0, kind, 0));
      assertProblem(Problem.SPAN, Raw.spanning(0, kind, -1));
      assertProblem(Problem.SPAN, Raw.spanning(0, kind, Integer.MIN_VALUE));
    }
  }

  @Test
  void everyKindHasItsLeastPayload() {
    assertProblem(Problem.NONE, Raw.entry(0, 0, -1, new byte[0]));
    for (int kind = 2; kind < 127; kind++) {
      assertProblem(Problem.LENGTH, Raw.ofKind(0, kind, 0, new byte[3]));
    }
    assertProblem(Problem.LENGTH, Raw.ofKind(0, 1, 0, new byte[7]));
    assertProblem(Problem.NONE, Raw.ofKind(0, 1, 0, Raw.attributes(0, 0, new byte[0])));
    assertProblem(Problem.LENGTH, Raw.ofKind(0, 0, 0, new byte[67]));
    assertProblem(Problem.NONE, Raw.ofKind(0, 0, 0, new byte[68]));
    assertProblem(Problem.LENGTH, Raw.ofKind(0, 0, 0, new byte[69]));
  }

  @Test
  void aPayloadHasItsBounds() {
    byte[] entry = Raw.plain(0, "k", "v");
    for (int length : new int[] {0, 11, -1, Integer.MIN_VALUE, (16 << 20) + 1, Integer.MAX_VALUE}) {
      assertProblem(Problem.LENGTH, Raw.changed(entry, out -> out.putInt(8, length)));
    }
    assertProblem(Problem.SHORT, Raw.changed(entry, out -> out.putInt(8, 16 << 20)));
    assertProblem(Problem.SHORT, Raw.changed(entry, out -> out.putInt(8, 15)));
  }

  @Test
  void thePayloadOf16MebibytesIsTheLargest() {
    ByteBuffer in = Raw.buffer(new byte[16 + (16 << 20)]);
    in.putInt(8, 16 << 20);
    assertEquals(Problem.NONE, Entry.problem(in, 0, in.limit()));
    assertEquals(Problem.SHORT, Entry.problem(in, 0, in.limit() - 1));
  }

  @Test
  void aKeyEndsInsideItsPayload() {
    byte[] entry = Raw.plain(0, "key", "v");
    assertProblem(Problem.NONE, Raw.changed(entry, out -> out.putInt(24, 4)));
    assertProblem(Problem.KEY_LENGTH, Raw.changed(entry, out -> out.putInt(24, 5)));
    assertProblem(Problem.KEY_LENGTH, Raw.changed(entry, out -> out.putInt(24, Integer.MAX_VALUE)));
  }

  @Test
  void everyEntryCutShortIsShort() {
    for (byte[] entry :
        new byte[][] {
          Raw.plain(0, "k", "v"), marker(), Raw.spanning(0, 4, 3), attributed("h", "v", "x")
        }) {
      for (int length = 0; length < entry.length; length++) {
        assertProblem(Problem.SHORT, Arrays.copyOf(entry, length));
      }
    }
  }

  // ---- attributed records

  @Test
  void headersFillTheirRoomExactly() {
    byte[] one = Raw.headers(1, 1, "h", 1, "v");
    assertProblem(Problem.NONE, withHeaders(one.length, one));
    assertProblem(Problem.ATTRIBUTES, withHeaders(one.length - 1, one));
    assertProblem(Problem.ATTRIBUTES, withHeaders(one.length + 1, Raw.join(one, new byte[1])));
  }

  @Test
  void headersThatLieAboutTheirLengthsAreFound() {
    for (byte[] headers :
        new byte[][] {
          Raw.headers(0),
          Raw.headers(-1, 1, "h", 1, "v"),
          Raw.headers(2, 1, "h", 1, "v"),
          Raw.headers(Integer.MAX_VALUE, 1, "h", 1, "v"),
          Raw.headers(1, -1, "h", 1, "v"),
          Raw.headers(1, 2, "h", 1, "v"),
          Raw.headers(1, Integer.MAX_VALUE, "h", 1, "v"),
          Raw.headers(1, 1, "h", 2, "v"),
          Raw.headers(1, 1, "h", 0, "v"),
          Raw.headers(1, 1, "h", -2, "v"),
          Raw.headers(1, 1, "h", Integer.MAX_VALUE, "v"),
          Raw.headers(1, 1, "h", -1, "v"),
          Raw.headers(2, 1, "h", -1, new byte[3]),
        }) {
      assertProblem(Problem.ATTRIBUTES, withHeaders(headers.length, headers));
    }
  }

  @Test
  void headersLengthIsZeroExactlyWithoutTheFlag() {
    byte[] headers = Raw.headers(1, 1, "h", -1);
    assertProblem(
        Problem.ATTRIBUTES, Raw.ofKind(0, 1, 0, Raw.attributes(-1, headers.length, headers)));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 2, Raw.attributes(-1, 0, headers)));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 2, Raw.attributes(-1, -1, headers)));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 2, Raw.attributes(-1, 1000, headers)));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 2, Raw.attributes(-1, 3, new byte[3])));
  }

  @Test
  void aNullValueHasNoBytes() {
    assertProblem(Problem.NONE, Raw.ofKind(0, 1, 1, Raw.attributes(1, 0, Raw.utf8("k"))));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 1, Raw.attributes(1, 0, Raw.utf8("kv"))));
  }

  @Test
  void unknownFlagsOfAnAttributedRecordAreAProblem() {
    for (int bit = 2; bit < 24; bit++) {
      assertProblem(
          Problem.ATTRIBUTES, Raw.ofKind(0, 1, 1 << bit, Raw.attributes(1, 0, Raw.utf8("k"))));
    }
  }

  @Test
  void theKeyOfAnAttributedRecordEndsInsideItsPayload() {
    assertProblem(Problem.NONE, Raw.ofKind(0, 1, 0, Raw.attributes(2, 0, Raw.utf8("kk"))));
    assertProblem(Problem.KEY_LENGTH, Raw.ofKind(0, 1, 0, Raw.attributes(3, 0, Raw.utf8("kk"))));
    assertProblem(
        Problem.KEY_LENGTH,
        Raw.ofKind(0, 1, 0, Raw.attributes(Integer.MAX_VALUE, 0, Raw.utf8("kk"))));
    assertProblem(Problem.ATTRIBUTES, Raw.ofKind(0, 1, 0, Raw.attributes(-2, 0, Raw.utf8("kk"))));
  }

  // ---- anything at all

  /** A shape that is found good can be walked and looked into without leaving the bytes. */
  @Test
  void whateverTheBytesLookingAtThemThrowsNothing() {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 200_000 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ByteBuffer in = Raw.buffer(garbage(random));
      try {
        if (Entry.problem(in, 0, in.limit()) == Problem.NONE) {
          lookInto(in);
        }
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static byte[] garbage(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(120)];
    random.nextBytes(bytes);
    ByteBuffer out = Raw.buffer(bytes);
    if (bytes.length >= 36) {
      out.putInt(8, random.nextInt(bytes.length));
      int kind = random.nextInt(-1, 5);
      out.putInt(24, kind < 0 ? random.nextInt(-1, 40) : Entry.kwordOf(kind, random.nextInt(4)));
      out.putInt(28, random.nextInt(-1, 40));
      out.putInt(32, random.nextInt(-1, 40));
      for (int at = 36; at + 4 <= bytes.length; at += random.nextInt(1, 9)) {
        out.putInt(at, random.nextInt(-1, 10));
      }
    }
    return bytes;
  }

  private static void lookInto(ByteBuffer in) {
    assertTrue(Entry.bytes(in, 0) <= in.limit());
    assertTrue(Entry.span(in, 0) >= 0);
    int kind = Entry.kind(Entry.kword(in, 0));
    if (kind == Entry.PLAIN || kind == Entry.KIND_ATTRIBUTED) {
      RecordView record = new RecordView(in, 0);
      int bytes = record.key().map(key -> key.length()).orElse(0);
      bytes += record.value().map(value -> value.length()).orElse(0);
      bytes += 28 + (kind == Entry.KIND_ATTRIBUTED ? 8 + headersBytes(record) : 0);
      assertEquals(record.bytes(), bytes);
      if (kind == Entry.KIND_ATTRIBUTED) {
        Attributed.headerKeysAreText(in, 0);
      }
    }
  }

  private static int headersBytes(RecordView record) {
    int stated = record.buffer().getInt(32);
    assertEquals(stated == 0, record.headers().isEmpty());
    return stated;
  }

  private static byte[] attributed(String headerKey, String headerValue, String value) {
    byte[] headers =
        Raw.headers(1, headerKey.length(), headerKey, headerValue.length(), headerValue);
    return Raw.ofKind(
        0, 1, 2, Raw.attributes(-1, headers.length, Raw.join(headers, Raw.utf8(value))));
  }

  /** No key and no value, so that nothing but the headers can be wrong. */
  private static byte[] withHeaders(int stated, byte[] headers) {
    return Raw.ofKind(0, 1, 2, Raw.attributes(-1, stated, headers));
  }

  private static byte[] marker() {
    return Raw.ofKind(0, 0, 0, new byte[68]);
  }

  private static byte[] spanAndMore(int span) {
    return Raw.join(
        Arrays.copyOfRange(Raw.spanning(0, 2, span), 28, 32), new byte[] {1, 2, 3, 4, 5});
  }

  private static void assertSpan(int span, byte[] entry) {
    ByteBuffer in = Raw.buffer(entry);
    assertEquals(Problem.NONE, Entry.problem(in, 0, in.limit()));
    assertEquals(span, Entry.span(in, 0));
    assertEquals(entry.length, Entry.bytes(in, 0));
    assertTrue(Entry.checksumHolds(in, 0));
    entry[entry.length - 1] ^= 1;
    assertFalse(Entry.checksumHolds(in, 0));
  }

  private static void assertProblem(Problem problem, byte[] entry) {
    assertEquals(problem, Entry.problem(Raw.buffer(entry), 0, entry.length));
    // The same somewhere in a larger buffer.
    byte[] shifted = Raw.join(new byte[5], entry, new byte[200]);
    assertEquals(problem, Entry.problem(Raw.buffer(shifted), 5, 5 + entry.length));
  }
}
