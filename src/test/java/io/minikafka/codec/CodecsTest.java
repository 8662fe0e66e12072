package io.minikafka.codec;

import static io.minikafka.codec.Field.field;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.golden.HexText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Every building block in both directions, at its ends, and cut short. */
class CodecsTest {
  @Test
  void numbersAreLittleEndian() {
    isBytes("fe", Codecs.U8, 0xfe);
    isBytes("01 ff", Codecs.U16, 0xff01);
    isBytes("01 80", Codecs.I16, (short) -32767);
    isBytes("04 03 02 81", Codecs.U32, 0x81020304);
    isBytes("08 07 06 05 04 03 02 81", Codecs.U64, 0x8102030405060708L);
    isBytes("ff ff ff ff ff ff ff ff", Codecs.I64, -1L);
  }

  @Test
  void flagsAreZeroOrOne() {
    isBytes("00", Codecs.BOOL, false);
    isBytes("01", Codecs.BOOL, true);
    isMalformed("02", Codecs.BOOL, "2 is neither 0 nor 1");
    isMalformed("ff", Codecs.BOOL, "255 is neither 0 nor 1");
  }

  @Test
  void idsStandInTheOrderTheyAreWrittenIn() {
    isBytes(
        "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
        Codecs.ID,
        UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
  }

  @Test
  void textIsUtf8WithItsLengthInBytes() {
    isBytes("00 00 00 00", Codecs.STR, "");
    isBytes("08 00 00 00 61 c3 a4 f0 9f 90 8c 62", Codecs.STR, "aä🐌b");
  }

  @Test
  void whatIsNotUtf8IsRefused() {
    isMalformed("01 00 00 00 ff", Codecs.STR, "not UTF-8");
    isMalformed("02 00 00 00 c0 80", Codecs.STR, "not UTF-8");
    isMalformed("03 00 00 00 ed a0 80", Codecs.STR, "not UTF-8");
    isMalformed("02 00 00 00 f0 9f", Codecs.STR, "not UTF-8");
  }

  @Test
  void blobsAreBytesWithTheirLength() {
    isBytes("02 00 00 00 07 08", Codecs.BYTES, Bytes.of(new byte[] {7, 8}));
    isBytes("02 00 00 00 07 08", Codecs.BLOB, Bytes.of(new byte[] {7, 8}));
    isBytes("00 00 00 00", Codecs.BYTES, Bytes.EMPTY);
  }

  @Test
  void aDecodedBlobIsAViewWithTheBytesBeforeItInReach() {
    ByteBuffer frame = buffer("aa bb 02 00 00 00 07 08 cc").position(2);
    Bytes blob = Codecs.BYTES.read(frame);
    assertEquals(8, frame.position());
    assertEquals(6, blob.index());
    blob.buffer().put(0, (byte) 9);
    blob.base().put(0, (byte) 1);
    assertArrayEquals(HexText.parse("01 bb 02 00 00 00 09 08 cc"), frame.array());
  }

  @Test
  void listsAreACountAndTheirElements() {
    isBytes("00 00 00 00", Codecs.list(Codecs.U16), List.of());
    isBytes("02 00 00 00 01 00 02 00", Codecs.list(Codecs.U16), List.of(1, 2));
    isBytes(
        "02 00 00 00 00 00 00 00 01 00 00 00 05",
        Codecs.list(Codecs.list(Codecs.U8)),
        List.of(List.of(), List.of(5)));
  }

  @Test
  void whatEndsEarlyIsRefused() {
    isMalformed("", Codecs.U8, "1 bytes needed, 0 left");
    isMalformed("01", Codecs.U16, "2 bytes needed, 1 left");
    isMalformed("01 02 03", Codecs.U32, "4 bytes needed, 3 left");
    isMalformed("01 02 03", Codecs.STR, "4 bytes needed, 3 left");
    isMalformed("03 00 00 00 61 62", Codecs.STR, "length 3 with 2 bytes left");
    isMalformed("03 00 00 00 61 62", Codecs.BYTES, "length 3 with 2 bytes left");
  }

  @Test
  void lengthsAndCountsAreUnsigned() {
    isMalformed("ff ff ff ff 61", Codecs.STR, "length 4294967295 with 1 bytes left");
    isMalformed("ff ff ff ff 61", Codecs.BYTES, "length 4294967295 with 1 bytes left");
    isMalformed("ff ff ff ff 61", Codecs.list(Codecs.U8), "4294967295 elements in 1 bytes");
  }

  /** Refused before the first element is made, by the fewest bytes an element takes. */
  @Test
  void aCountThatItsElementsCannotHaveIsRefusedAtOnce() {
    Codec<Pair> pair = pair();
    assertEquals(6, pair.leastBytes());
    isMalformed("02 00 00 00 01 00 00 00 00 00 02", Codecs.list(pair), "2 elements in 7 bytes");
    assertThrows(IllegalArgumentException.class, () -> Codecs.list(Codecs.empty("")));
  }

  @Test
  void messagesAreTheirFieldsInOrder() {
    isBytes("07 00 02 00 00 00 6f 6b", pair(), new Pair(7, "ok"));
    assertEquals("u16 number, str text", pair().layout());
    assertEquals("list(u16 number, str text)", Codecs.list(pair()).layout());
    assertEquals("list(u8)", Codecs.list(Codecs.U8).layout());
  }

  @Test
  void aMalformedFieldIsNamed() {
    isMalformed("07 00 02 00 00 00 6f", pair(), "text: length 2 with 1 bytes left");
  }

  @Test
  void bytesLeftOverAreRefusedWhereAllMustBeRead() {
    assertEquals(
        "1 bytes too many",
        assertThrows(MalformedException.class, () -> Codecs.U8.readAll(buffer("01 02")))
            .getMessage());
  }

  @Test
  void aMessageWithoutFieldsTakesNoBytes() {
    isBytes("", Codecs.empty("nothing"), "nothing");
    assertEquals("–", Codecs.empty("").layout());
    assertEquals(0, Codecs.empty("").leastBytes());
  }

  private record Pair(int number, String text) {}

  private static Codec<Pair> pair() {
    return Messages.of(
        Pair::new,
        field("number", Codecs.U16, Pair::number),
        field("text", Codecs.STR, Pair::text));
  }

  private static <T> void isBytes(String hex, Codec<T> codec, T value) {
    ByteBuffer encoded = BufferSink.encode(codec, value);
    assertEquals(ByteBuffer.wrap(HexText.parse(hex)), encoded);
    assertEquals(value, codec.readAll(buffer(hex)));
  }

  private static void isMalformed(String hex, Codec<?> codec, String message) {
    assertEquals(
        message,
        assertThrows(MalformedException.class, () -> codec.read(buffer(hex))).getMessage());
  }

  private static ByteBuffer buffer(String hex) {
    return ByteBuffer.wrap(HexText.parse(hex)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
