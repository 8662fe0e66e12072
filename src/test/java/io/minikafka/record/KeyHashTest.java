package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The vectors are the published ones of FNV-1a, 32 bit. */
class KeyHashTest {
  private static int hash(String key) {
    return KeyHash.fnv1a(key.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void publishedVectorsHold() {
    assertEquals(0x811c9dc5, hash(""));
    assertEquals(0xe40c292c, hash("a"));
    assertEquals(0xe70c2de5, hash("b"));
    assertEquals(0xa9f37ed7, hash("foo"));
    assertEquals(0xbf9cf968, hash("foobar"));
    assertEquals(0xbd564e7d, hash("chongo"));
  }

  @Test
  void bytesAboveHalfAreUnsigned() {
    assertEquals(0x7a0b824e, KeyHash.fnv1a(new byte[] {(byte) 0xff}));
    assertEquals(0xb1bbaee7, hash("schlüssel"));
  }

  @Test
  void hashesAboveHalfAreUnsignedToo() {
    // 0xe40c292c = 3826002220 = 10 * 382600222 + 0; as a signed number it would be negative.
    assertEquals(0, KeyHash.partition("a".getBytes(StandardCharsets.UTF_8), 10));
    assertEquals(3826002220L % 7, KeyHash.partition("a".getBytes(StandardCharsets.UTF_8), 7));
  }
}
