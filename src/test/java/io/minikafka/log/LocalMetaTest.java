package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.MetaStore;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.ForceFailedException;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LocalMetaTest {
  @TempDir Path data;

  private final List<String> unforced = new ArrayList<>();

  private LocalMeta meta() {
    return meta(new LocalDisk());
  }

  private LocalMeta meta(Disk disk) {
    return new LocalMeta(
        disk,
        data.resolve("meta"),
        new Reserve(disk, LogFiles.reserve(data)),
        (what, cause) -> unforced.add(what));
  }

  /** A disk without room for as long as the reserve is there. */
  private WatchedDisk fullDisk() {
    WatchedDisk disk = new WatchedDisk();
    new Reserve(disk, LogFiles.reserve(data)).keep(1 << 16);
    disk.fault =
        (action, path) -> {
          if (action.equals("write") && Files.exists(LogFiles.reserve(data))) {
            throw new DiskFullException("No space left on device");
          }
        };
    return disk;
  }

  @Test
  @Timeout(30)
  void aPipeInPlaceOfAValueIsRefusedByName() throws IOException, InterruptedException {
    Path pipe = Files.createDirectories(data.resolve("meta")).resolve("topics");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());

    IOException refused = assertThrows(IOException.class, () -> meta().read("topics"));

    assertEquals(pipe + " is no regular file", refused.getMessage());
  }

  @Test
  void aNameThatCannotBeForcedForWantOfRoomIsAFailedForce() {
    WatchedDisk disk = new WatchedDisk();
    disk.fault =
        (action, path) -> {
          if (action.equals("force") && path.endsWith("meta")) {
            throw new DiskFullException("No space left on device");
          }
        };

    assertThrows(
        ForceFailedException.class, () -> meta(disk).replaceFromReserve("catalog", bytes("a"), 0));

    assertEquals(List.of(data.resolve("meta/catalog").toString()), unforced);
  }

  @Test
  void onAFullDiskWhatLetsRoomBeMadeIsWrittenIntoTheReserve() throws IOException {
    meta().replace("catalog", bytes("one"), 0);
    WatchedDisk disk = fullDisk();

    assertTrue(meta(disk).replaceFromReserve("catalog", bytes("one with shorter retention"), 1));

    assertEquals(bytes("one with shorter retention"), meta().read("catalog").orElseThrow().value());
    assertFalse(Files.exists(LogFiles.reserve(data)));
  }

  @Test
  void theReserveIsTakenBackWhileItsBytesAreStillThere() throws IOException {
    meta().replace("catalog", bytes("one"), 0);
    WatchedDisk disk = fullDisk();
    WatchedDisk.Fault full = disk.fault;
    disk.fault =
        (action, path) -> {
          if (!path.equals(LogFiles.reserve(data))) {
            full.before(action, path);
          }
        };

    for (int version = 1; version < 4; version++) {
      assertTrue(meta(disk).replaceFromReserve("catalog", bytes("value " + version), version));
      assertEquals(1 << 16, Files.size(LogFiles.reserve(data)));
    }
  }

  @Test
  void onAFullDiskAnyOtherValueIsRefusedAndTheReserveKept() throws IOException {
    meta().replace("catalog", bytes("one"), 0);
    WatchedDisk disk = fullDisk();

    assertThrows(
        DiskFullException.class, () -> meta(disk).replace("catalog", bytes("two topics"), 1));

    assertEquals(bytes("one"), meta().read("catalog").orElseThrow().value());
    assertTrue(Files.exists(LogFiles.reserve(data)));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whatWasNeverWrittenIsEmpty() throws IOException {
    assertEquals(Optional.empty(), meta().read("catalog"));
  }

  @Test
  void aValueIsReplacedOnlyByWhoKnowsItsVersion() throws IOException {
    assertTrue(meta().replace("catalog", bytes("one"), 0));
    assertFalse(meta().replace("catalog", bytes("two"), 0));
    assertFalse(meta().replace("catalog", bytes("two"), 2));
    assertTrue(meta().replace("catalog", bytes("two"), 1));

    MetaStore.Versioned read = meta().read("catalog").orElseThrow();
    assertEquals(bytes("two"), read.value());
    assertEquals(2, read.version());
  }

  @Test
  void anyFlippedBitIsAnErrorThatNamesTheFile() throws IOException {
    meta().replace("catalog", bytes("value"), 0);
    Path file = data.resolve("meta/catalog");
    byte[] good = Files.readAllBytes(file);

    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, bad);
      IOException error = assertThrows(IOException.class, () -> meta().read("catalog"));
      assertTrue(String.valueOf(error.getMessage()).contains(file.toString()));
    }
    Files.write(file, java.util.Arrays.copyOf(good, good.length - 1));
    assertThrows(IOException.class, () -> meta().read("catalog"));
    Files.write(file, new byte[0]);
    assertThrows(IOException.class, () -> meta().read("catalog"));
  }

  @Test
  void aNameCannotLeaveTheDirectory() {
    assertThrows(IllegalArgumentException.class, () -> meta().read("../lock"));
    assertThrows(IllegalArgumentException.class, () -> meta().read(""));
  }
}
