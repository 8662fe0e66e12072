package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.golden.HexText;
import io.minikafka.record.Crc32c;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageFileTest {
  private static final DamageRange RANGE =
      new DamageRange(1000, 1002, 900, 5000, 5196, "flipped", 1_700_000_000_000L);

  @TempDir Path directory;

  private final LocalDisk disk = new LocalDisk();

  @Test
  void itIsByteForByteWhatTheDocumentShows() throws IOException {
    DamageRanges damage = new DamageRanges(List.of(RANGE), false);
    DamageFile.save(disk, directory, damage);
    byte[] golden = HexText.golden("damage-list");
    assertArrayEquals(golden, Files.readAllBytes(LogFiles.damage(directory)));
    assertEquals(Optional.of(damage), DamageFile.load(disk, directory));
  }

  @Test
  void oneOfVersion1IsReadAndKnowsNoTimes() throws IOException {
    byte[] golden = HexText.golden("damage-list");
    ByteBuffer old = ByteBuffer.allocate(golden.length - 8).order(ByteOrder.LITTLE_ENDIAN);
    old.put(golden, 0, golden.length - 12).putShort(4, (short) 1).putShort(6, (short) 1);
    old.putInt(Crc32c.of(old, 0, golden.length - 12));
    Files.write(LogFiles.damage(directory), old.array());
    assertEquals(
        Optional.of(new DamageRanges(List.of(RANGE.foundAt(0)), true)),
        DamageFile.load(disk, directory));
  }
}
