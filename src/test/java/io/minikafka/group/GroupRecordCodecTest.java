package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.codec.MalformedException;
import io.minikafka.group.GroupRecord.CommitKey;
import io.minikafka.group.GroupRecord.GroupKey;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.GroupRecord.Owned;
import io.minikafka.group.GroupRecord.ResetKey;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GroupRecordCodecTest {
  private static final PartitionId PARTITION =
      new PartitionId(UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"), 3);

  private static final GroupRecord COMMIT =
      new GroupRecord.Commit(
          new CommitKey("g", PARTITION), new CommittedOffset(0x0102, 7, -1, "note"));

  private static final GroupRecord GROUP =
      new GroupRecord.Group(new GroupKey("g"), 0, 0x1_0000_0001L, "range", -1);

  private static final GroupRecord MEMBER =
      new GroupRecord.Member(
          new MemberKey("g", "m"),
          MemberState.GONE,
          "i",
          900,
          500,
          1,
          List.of("a"),
          List.of(new Owned(PARTITION, 5)));

  private static final GroupRecord OPENING = new GroupRecord.Opening(9);

  private static final GroupRecord RESET =
      new GroupRecord.Reset(
          new ResetKey("g", PARTITION),
          new ResetOffset(0x0304, 0x0506, Optional.of(new CommittedOffset(0x0102, 7, -1, "note"))));

  private static final GroupRecord FIRST_RESET =
      new GroupRecord.Reset(
          new ResetKey("g", PARTITION), new ResetOffset(0x0304, 0x0506, Optional.empty()));

  private static final List<GroupRecord> ALL =
      List.of(COMMIT, GROUP, MEMBER, OPENING, RESET, FIRST_RESET);

  @Test
  void commitHasTheseBytes() {
    assertEquals(
        "01 00 01000000 67 000102030405060708090a0b0c0d0e0f 03000000",
        key(COMMIT, 1, 1, 4, 1, 16, 4));
    assertEquals(
        "0201000000000000 07000000 ffffffffffffffff 04000000 6e6f7465",
        value(COMMIT, 8, 4, 8, 4, 4));
  }

  @Test
  void groupHasTheseBytes() {
    assertEquals("02 00 01000000 67", key(GROUP, 1, 1, 4, 1));
    assertEquals(
        "00 0100000001000000 05000000 72616e6765 ffffffffffffffff", value(GROUP, 1, 8, 4, 5, 8));
  }

  @Test
  void memberHasTheseBytes() {
    assertEquals("03 00 01000000 67 01000000 6d", key(MEMBER, 1, 1, 4, 1, 4, 1));
    assertEquals(
        "02 01000000 69 84030000 f4010000 01 01000000 0100000061"
            + " 01000000 000102030405060708090a0b0c0d0e0f 03000000 0500000000000000",
        value(MEMBER, 1, 4, 1, 4, 4, 1, 4, 5, 4, 16, 4, 8));
  }

  @Test
  void openingHasTheseBytes() {
    assertEquals("04 00", key(OPENING, 1, 1));
    assertEquals("0900000000000000", value(OPENING, 8));
  }

  @Test
  void resetHasTheseBytes() {
    assertEquals(
        "05 00 01000000 67 000102030405060708090a0b0c0d0e0f 03000000",
        key(RESET, 1, 1, 4, 1, 16, 4));
    assertEquals(
        "0403000000000000 0605000000000000 01000000"
            + " 0201000000000000 07000000 ffffffffffffffff 04000000 6e6f7465",
        value(RESET, 8, 8, 4, 8, 4, 8, 4, 4));
    assertEquals("0403000000000000 0605000000000000 00000000", value(FIRST_RESET, 8, 8, 4));
  }

  @Test
  void everyRecordIsReadAsItWasWritten() {
    for (GroupRecord record : ALL) {
      assertEquals(
          record,
          GroupRecordCodec.read(GroupRecordCodec.key(record), GroupRecordCodec.value(record)));
    }
  }

  @Test
  void keyWithoutValueIsATombstone() {
    for (GroupRecord record : ALL) {
      GroupRecord tombstone = new GroupRecord.Tombstone(record.key());
      assertTrue(GroupRecordCodec.value(tombstone).isEmpty());
      assertEquals(
          tombstone, GroupRecordCodec.read(GroupRecordCodec.key(tombstone), Optional.empty()));
    }
  }

  @Test
  void cutOffAndLengthenedBytesAreRefused() {
    for (GroupRecord record : ALL) {
      ByteBuffer key = GroupRecordCodec.key(record);
      ByteBuffer value = GroupRecordCodec.value(record).orElseThrow();
      for (int length = 0; length < key.limit(); length++) {
        refused(key.slice(0, length), value);
      }
      for (int length = 0; length < value.limit(); length++) {
        refused(key, value.slice(0, length));
      }
      refused(longer(key), value);
      refused(key, longer(value));
    }
  }

  @Test
  void unknownTypesVersionsAndStatesAreRefused() {
    refused(ByteBuffer.wrap(new byte[] {6, 0}), GroupRecordCodec.value(OPENING).orElseThrow());
    refused(ByteBuffer.wrap(new byte[] {4, 1}), GroupRecordCodec.value(OPENING).orElseThrow());
    ByteBuffer member = GroupRecordCodec.value(MEMBER).orElseThrow();
    refused(GroupRecordCodec.key(MEMBER), member.put(0, (byte) 3));
    ByteBuffer commit = GroupRecordCodec.value(COMMIT).orElseThrow();
    refused(GroupRecordCodec.key(COMMIT), commit.put(7, (byte) 0x80));
    ByteBuffer reset = GroupRecordCodec.value(RESET).orElseThrow();
    refused(GroupRecordCodec.key(RESET), reset.duplicate().put(15, (byte) 0x80));
  }

  private static void refused(ByteBuffer key, ByteBuffer value) {
    assertThrows(MalformedException.class, () -> GroupRecordCodec.read(key, Optional.of(value)));
  }

  private static ByteBuffer longer(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.limit() + 1).put(bytes.duplicate()).put((byte) 0).flip();
  }

  private static String key(GroupRecord record, int... fields) {
    return spaced(GroupRecordCodec.key(record), fields);
  }

  private static String value(GroupRecord record, int... fields) {
    return spaced(GroupRecordCodec.value(record).orElseThrow(), fields);
  }

  /** In hexadecimal, with a space between fields of these lengths. */
  private static String spaced(ByteBuffer bytes, int... fields) {
    StringBuilder text = new StringBuilder();
    for (int length : fields) {
      byte[] field = new byte[length];
      bytes.get(field);
      text.append(text.isEmpty() ? "" : " ").append(HexFormat.of().formatHex(field));
    }
    assertEquals(0, bytes.remaining(), "bytes behind the last field");
    return text.toString();
  }
}
