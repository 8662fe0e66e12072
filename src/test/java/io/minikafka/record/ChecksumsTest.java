package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.PartitionId;
import io.minikafka.golden.HexText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checksums and hashes against values that others published, or that were worked out apart. */
class ChecksumsTest {
  /** The examples of RFC 3720, appendix B.4; there the checksum's bytes stand in wire order. */
  @Test
  void crc32cIsThatOfTheIscsiStandard() {
    byte[] ones = new byte[32];
    Arrays.fill(ones, (byte) 0xff);
    byte[] up = new byte[32];
    byte[] down = new byte[32];
    for (int i = 0; i < 32; i++) {
      up[i] = (byte) i;
      down[i] = (byte) (31 - i);
    }
    byte[] readCommand =
        HexText.parse(
            """
            01 c0 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            14 00 00 00 00 00 04 00 00 00 00 14 00 00 00 18
            28 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00
            """);
    assertEquals(inWireOrder("aa 36 91 8a"), crc(new byte[32]));
    assertEquals(inWireOrder("43 ab a8 62"), crc(ones));
    assertEquals(inWireOrder("4e 79 dd 46"), crc(up));
    assertEquals(inWireOrder("5c db 3f 11"), crc(down));
    assertEquals(inWireOrder("56 3a 96 d9"), crc(readCommand));
  }

  @Test
  void crc32cHasTheCheckValueOfTheCatalogues() {
    assertEquals(0xe3069283, crc("123456789".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(0, crc(new byte[0]));
  }

  @Test
  void crc32cOfARangeLeavesTheBufferAsItWas() {
    for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(64), direct(64)}) {
      buffer.put(20, "123456789".getBytes(StandardCharsets.US_ASCII)).position(40).limit(41);
      assertEquals(0xe3069283, Crc32c.of(buffer, 20, 9));
      assertEquals(40, buffer.position());
      assertEquals(41, buffer.limit());
    }
  }

  /**
   * h = 2; h = rotateLeft(h ^ w, 27) * 0x9E3779B97F4A7C15 for both words; low half of h ^ h >>> 32:
   * worked out with unlimited integers.
   */
  @Test
  void entriesHashIsTheFormulaOfTheFormat() {
    long hash = EntriesHash.start(2);
    hash = EntriesHash.add(hash, 0x6bf80c5a_00000017L);
    hash = EntriesHash.add(hash, 0x5371e86c_0000002dL);
    assertEquals(0x771bf03f, EntriesHash.finish(hash));
  }

  @Test
  void entriesHashDependsOnOrderNumberAndSpan() {
    long ab = EntriesHash.add(EntriesHash.add(EntriesHash.start(2), 1), 2);
    long ba = EntriesHash.add(EntriesHash.add(EntriesHash.start(2), 2), 1);
    long other = EntriesHash.add(EntriesHash.add(EntriesHash.start(3), 1), 2);
    assertEquals(
        3, Arrays.stream(new long[] {ab, ba, other}).map(EntriesHash::finish).distinct().count());
  }

  /** SHA-256 of 00112233445566778899aabbccddeeff 01000000, by sha256sum. */
  @Test
  void partitionHashIsTheBeginningOfTheDigest() {
    long hash =
        PartitionHash.of(
            new PartitionId(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 1));
    ByteBuffer written = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, hash);
    assertEquals(ByteBuffer.wrap(HexText.parse("32 3b 40 e0 02 6d 2e 71")), written);
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes);
  }

  private static int crc(byte[] bytes) {
    return Crc32c.of(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  private static int inWireOrder(String bytes) {
    return ByteBuffer.wrap(HexText.parse(bytes)).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }
}
