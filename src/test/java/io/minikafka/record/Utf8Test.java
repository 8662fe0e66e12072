package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Text is what the decoder of the JDK takes for text. */
class Utf8Test {
  @Test
  void everySequenceOfUpToTwoBytes() {
    for (int a = 0; a < 256; a++) {
      isAsTheDecoderSays(new byte[] {(byte) a});
      for (int b = 0; b < 256; b++) {
        isAsTheDecoderSays(new byte[] {(byte) a, (byte) b});
      }
    }
  }

  @Test
  void everyKindOfSequenceOfThreeAndFourBytes() {
    int[] ends = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    for (int a = 0xdf; a < 256; a++) {
      for (int b : ends) {
        for (int c : ends) {
          isAsTheDecoderSays(new byte[] {(byte) a, (byte) b, (byte) c});
          for (int d : ends) {
            isAsTheDecoderSays(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
          }
        }
      }
    }
  }

  @Test
  void textWithAByteChanged() {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 20_000 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = "aä€🐌b\u0800\ud7ff\ue000".getBytes(StandardCharsets.UTF_8);
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      isAsTheDecoderSays(bytes);
    }
  }

  @Test
  void onlyTheRangeIsLookedAt() {
    byte[] bytes = {(byte) 0xff, 'a', (byte) 0xc3, (byte) 0xa4, (byte) 0xff};
    ByteBuffer in = ByteBuffer.wrap(bytes);
    assertEquals(true, Utf8.isWellFormed(in, 1, 4));
    assertEquals(true, Utf8.isWellFormed(in, 1, 1));
    assertEquals(false, Utf8.isWellFormed(in, 1, 3));
  }

  private static void isAsTheDecoderSays(byte[] bytes) {
    boolean expected;
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      expected = true;
    } catch (CharacterCodingException e) {
      expected = false;
    }
    assertEquals(
        expected,
        Utf8.isWellFormed(ByteBuffer.wrap(bytes), 0, bytes.length),
        () -> HexFormat.of().formatHex(bytes));
  }
}
