package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.done;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogFormatTest {
  private static final CatalogContent SMALL =
      CatalogContent.EMPTY
          .with(entry("gone", 9, 1))
          .deleting(entry("gone", 9, 1))
          .with(entry("a", 1, 3, SettingChange.set("segment.bytes", "2048")))
          .with(entry("b.c", 2, 10_000));

  /** These bytes are on the disks of users: they change only together with the version. */
  private static final String SMALL_BYTES =
      "4d4b5431" // MKT1
          + "0100" // version
          + "0000" // flags
          + "CRC32C--"
          + "02000000"
          + "01000000"
          + "61"
          + "00000000000000070000000000000001"
          + "03000000"
          + "01000000"
          + "0d000000"
          + "7365676d656e742e6279746573"
          + "04000000"
          + "32303438"
          + "03000000"
          + "622e63"
          + "00000000000000070000000000000002"
          + "10270000"
          + "00000000"
          + "01000000"
          + "00000000000000070000000000000009";

  @Test
  void bytesAreThoseOnTheDisksOfUsers() {
    String body = SMALL_BYTES.substring(SMALL_BYTES.indexOf("CRC32C--") + 8);
    CRC32C crc = new CRC32C();
    crc.update(HexFormat.of().parseHex(body));
    String crcBytes = HexFormat.of().toHexDigits(Integer.reverseBytes((int) crc.getValue()));
    assertEquals(SMALL_BYTES.replace("CRC32C--", crcBytes), hex(CatalogFormat.encode(SMALL)));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      CatalogContent content = CatalogContent.EMPTY;
      for (int i = random.nextInt(20); i > 0; i--) {
        TopicEntry entry = entry("t" + random.nextInt(1000), i, 1 + random.nextInt(10_000));
        content = content.with(entry);
        content = random.nextInt(3) == 0 ? content.deleting(entry) : content;
      }
      assertEquals(content, CatalogFormat.decode(CatalogFormat.encode(content)), "-Dseed=" + seed);
    }
  }

  @Test
  void everyFlippedBitIsNoticed() {
    byte[] bytes = array(CatalogFormat.encode(SMALL));
    List<Integer> unnoticed = new ArrayList<>();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        CatalogFormat.decode(ByteBuffer.wrap(flipped));
        unnoticed.add(bit);
      } catch (MalformedException e) {
        // As it should be.
      }
    }
    assertEquals(List.of(), unnoticed);
  }

  @Test
  void everyMissingByteIsNoticed() {
    byte[] bytes = array(CatalogFormat.encode(SMALL));
    for (int length = 0; length < bytes.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length);
      assertThrows(MalformedException.class, () -> CatalogFormat.decode(cut), "" + length);
    }
  }

  @Test
  void bytesBehindTheEndAreNoticed() {
    byte[] bytes = array(CatalogFormat.encode(SMALL));
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(MalformedException.class, () -> CatalogFormat.decode(ByteBuffer.wrap(longer)));
  }

  @Test
  void newerVersionIsNotTakenForDamage() {
    ByteBuffer bytes = CatalogFormat.encode(SMALL).putShort(4, (short) 2);
    assertEquals(
        "it has version 2 and this build knows 1 only; it was written by another minikafka",
        refusal(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, 1, illegal character",
    "'', 1, topic name is empty",
    "a, 0, partition count 0",
    "a, 10001, partition count 10001"
  })
  void whatNoBrokerWroteIsRefusedThoughItsChecksumHolds(String name, int partitions, String why) {
    CatalogContent content = CatalogContent.EMPTY.with(entry(name, 1, partitions));
    assertTrue(refusal(CatalogFormat.encode(content)).contains(why));
  }

  @Test
  void idThatIsThereTwiceIsRefused() {
    CatalogContent content = CatalogContent.EMPTY.with(entry("a", 1, 1)).with(entry("b", 1, 1));
    assertTrue(refusal(CatalogFormat.encode(content)).contains("is there twice"));
  }

  @Test
  void settingThatThisBuildDoesNotKnowIsRefusedWithTheTopic() {
    byte[] bytes = array(CatalogFormat.encode(SMALL));
    int key = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("segment");
    bytes[key] = 'S';
    ByteBuffer changed = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 12, bytes.length - 12);
    changed.putInt(8, (int) crc.getValue());
    assertTrue(refusal(changed).startsWith("topic 'a': 'Segment.bytes' is no setting"));
  }

  static TopicEntry entry(String name, long id, int partitions, SettingChange... own) {
    return new TopicEntry(
        name, new UUID(7, id), partitions, done(TopicSettings.NONE.with(List.of(own))));
  }

  private static String refusal(ByteBuffer bytes) {
    String message =
        assertThrows(MalformedException.class, () -> CatalogFormat.decode(bytes)).getMessage();
    return String.valueOf(message);
  }

  private static String hex(ByteBuffer bytes) {
    return HexFormat.of().formatHex(array(bytes));
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }
}
