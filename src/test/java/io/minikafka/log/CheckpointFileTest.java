package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.record.Crc32c;
import io.minikafka.storage.Disk;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFileTest {
  private static final PartitionId ID =
      new PartitionId(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 7);

  @TempDir Path data;

  private final Disk disk = new LocalDisk();

  @Test
  void bytesAreThoseOfTheFormat() {
    ByteBuffer encoded = new Checkpoint(9, true, List.of(entry(5))).encode();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    assertEquals(
        """
        4d4b4331 0100 0100 0900000000000000 01000000
        00112233445566778899aabbccddeeff 07000000 03000000
        0100000000000000 0500000000000000 0400000000000000 0600000000000000
        e7030000 78563412
        """
            .replaceAll("\\s", ""),
        HexFormat.of().formatHex(bytes, 0, bytes.length - 4));
    assertEquals(
        Crc32c.of(ByteBuffer.wrap(bytes), 0, bytes.length - 4),
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 4));
  }

  @Test
  void nothingThereIsNoProblem() throws IOException {
    CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
    assertEquals(List.of(), loaded.problems());
    assertTrue(loaded.entries().isEmpty() && loaded.newest() && !loaded.clean());
  }

  @Test
  void theNewestComesBack() throws IOException {
    writeTwo(false);
    CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
    assertEquals(entry(20), loaded.entry(ID).orElseThrow());
    assertTrue(loaded.newest());
    assertFalse(loaded.clean());
  }

  @Test
  void theCleanMarkComesBackOnce() throws IOException {
    writeTwo(true);
    CheckpointFile file = new CheckpointFile(disk, data);
    assertTrue(file.load().clean());
    file.write(List.of(entry(20)), false);
    assertFalse(new CheckpointFile(disk, data).load().clean());
  }

  @Test
  @Timeout(30)
  void aPipeInItsPlaceIsNamedAndReplaced() throws IOException, InterruptedException {
    writeTwo(true);
    Path pipe = LogFiles.checkpoint(data);
    Files.delete(pipe);
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    CheckpointFile file = new CheckpointFile(disk, data);

    CheckpointFile.Loaded loaded = file.load();

    assertEquals(entry(10), loaded.entry(ID).orElseThrow());
    assertEquals(List.of(pipe + " is damaged: it is no regular file"), loaded.problems());
    assertFalse(loaded.newest());
    file.write(List.of(entry(30)), false);
    assertEquals(entry(30), new CheckpointFile(disk, data).load().entry(ID).orElseThrow());
  }

  @Test
  void aDamagedOneIsNamedAndThePreviousUsed() throws IOException {
    writeTwo(true);
    byte[] whole = Files.readAllBytes(LogFiles.checkpoint(data));
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) (1 << bit);
        Files.write(LogFiles.checkpoint(data), damaged);
        CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
        assertEquals(entry(10), loaded.entry(ID).orElseThrow(), "byte " + at);
        assertEquals(1, loaded.problems().size());
        assertTrue(loaded.problems().getFirst().contains(data + "/checkpoint is damaged"));
        assertFalse(loaded.newest());
        assertFalse(loaded.clean());
      }
    }
  }

  @Test
  void aTornOneIsNamedAndThePreviousUsed() throws IOException {
    writeTwo(true);
    byte[] whole = Files.readAllBytes(LogFiles.checkpoint(data));
    for (int length = 0; length < whole.length; length++) {
      Files.write(LogFiles.checkpoint(data), Arrays.copyOf(whole, length));
      CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
      assertEquals(entry(10), loaded.entry(ID).orElseThrow(), "cut at " + length);
      assertEquals(1, loaded.problems().size());
      assertFalse(loaded.newest());
    }
  }

  @Test
  void aMissingOneIsNamedAndThePreviousUsedWithoutItsCleanMark() throws IOException {
    CheckpointFile file = new CheckpointFile(disk, data);
    file.load();
    file.write(List.of(entry(10)), true);
    file.write(List.of(entry(20)), false);
    Files.delete(LogFiles.checkpoint(data));
    CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
    assertEquals(entry(10), loaded.entry(ID).orElseThrow());
    assertEquals(List.of(data + "/checkpoint is missing"), loaded.problems());
    assertFalse(loaded.newest());
    assertFalse(loaded.clean());
  }

  @Test
  void aDamagedOneDoesNotReplaceThePrevious() throws IOException {
    writeTwo(false);
    Files.write(LogFiles.checkpoint(data), new byte[] {1, 2, 3});
    CheckpointFile file = new CheckpointFile(disk, data);
    file.load();
    file.write(List.of(entry(30)), false);
    Files.delete(LogFiles.checkpoint(data));
    assertEquals(entry(10), new CheckpointFile(disk, data).load().entry(ID).orElseThrow());
  }

  @Test
  void oneThatIsTakenAwayMeanwhileIsWrittenAgain() throws IOException {
    CheckpointFile file = new CheckpointFile(disk, data);
    file.load();
    file.write(List.of(entry(10)), false);
    Files.delete(LogFiles.checkpoint(data));
    file.write(List.of(entry(20)), false);
    assertEquals(entry(20), new CheckpointFile(disk, data).load().entry(ID).orElseThrow());
  }

  @Test
  void aCrashBetweenTheRenamesLosesNothing() throws IOException {
    writeTwo(false);
    byte[] newest = new Checkpoint(3, true, List.of(entry(30))).encode().array();
    int bytes = new Checkpoint(3, true, List.of(entry(30))).encode().remaining();
    Files.write(LogFiles.temporary(LogFiles.checkpoint(data)), Arrays.copyOf(newest, bytes));
    Files.move(
        LogFiles.checkpoint(data),
        LogFiles.previousCheckpoint(data),
        StandardCopyOption.REPLACE_EXISTING);
    CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
    assertEquals(entry(30), loaded.entry(ID).orElseThrow());
    assertTrue(loaded.newest());
  }

  @Test
  void aTornTemporaryIsIgnored() throws IOException {
    writeTwo(true);
    Files.write(LogFiles.temporary(LogFiles.checkpoint(data)), new byte[] {'M', 'K', 'C', '1'});
    CheckpointFile.Loaded loaded = new CheckpointFile(disk, data).load();
    assertEquals(entry(20), loaded.entry(ID).orElseThrow());
    assertEquals(List.of(), loaded.problems());
    assertTrue(loaded.clean());
  }

  @Test
  void magicAndVersionAreTwoErrors() throws IOException {
    ByteBuffer newer = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    newer.putInt(Checkpoint.MAGIC).putShort((short) 2).putShort((short) 0).putLong(1).putInt(0);
    newer.putInt(Crc32c.of(newer, 0, 20)).flip();
    assertEquals(new Checkpoint.Decoded.NewerVersion(2), Checkpoint.decode(newer));
    Files.write(LogFiles.checkpoint(data), newer.array());
    IOException refused =
        assertThrows(IOException.class, () -> new CheckpointFile(disk, data).load());
    assertTrue(String.valueOf(refused.getMessage()).contains("version 2"), refused.getMessage());

    newer.putInt(0, 0x12345678).putInt(20, Crc32c.of(newer, 0, 20));
    assertEquals(
        new Checkpoint.Decoded.Damaged("it does not begin with MKC1"), Checkpoint.decode(newer));
  }

  @Test
  void aCountBeyondTheBytesIsDamage() {
    ByteBuffer file = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(Checkpoint.MAGIC).putShort((short) 1).putShort((short) 0).putLong(1).putInt(-1);
    file.putInt(Crc32c.of(file, 0, 20)).flip();
    assertTrue(Checkpoint.decode(file) instanceof Checkpoint.Decoded.Damaged);
  }

  private void writeTwo(boolean clean) throws IOException {
    CheckpointFile file = new CheckpointFile(disk, data);
    file.load();
    file.write(List.of(entry(10)), false);
    file.write(List.of(entry(20)), clean);
  }

  private static CheckpointEntry entry(long durable) {
    return new CheckpointEntry(ID, 3, 1, durable, 4, durable + 1, 999, 0x12345678);
  }
}
