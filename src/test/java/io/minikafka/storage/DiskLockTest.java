package io.minikafka.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers on one directory cannot run, in one process or in two. */
class DiskLockTest {
  private final Disk disk = new LocalDisk();

  @TempDir Path folder;

  @Test
  void aSecondInTheSameProcessIsRefusedAndTheFirstStaysLocked() throws Exception {
    Path file = folder.resolve("lock");
    try (Disk.DiskLock lock = disk.lock(file)) {
      AlreadyLockedException e =
          assertThrows(AlreadyLockedException.class, () -> new LocalDisk().lock(file));
      assertEquals(file + " is locked by another broker in this process", e.getMessage());
      assertEquals(file + " is locked by another process", otherProcess(file));
    }
    assertEquals("locked", otherProcess(file));
  }

  @Test
  void aWayAroundBySymbolicLinkIsTheSameLock() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    try (Disk.DiskLock lock = disk.lock(real.resolve("lock"))) {
      assertThrows(AlreadyLockedException.class, () -> disk.lock(link.resolve("lock")));
    }
  }

  /** The same file under another name: closing it again would give up the first lock. */
  @Test
  void aWayAroundByHardLinkIsRefusedAndTheFirstStaysLocked() throws Exception {
    Path file = folder.resolve("lock");
    try (Disk.DiskLock lock = disk.lock(file)) {
      Path other = Files.createLink(folder.resolve("other"), file);
      AlreadyLockedException e = assertThrows(AlreadyLockedException.class, () -> disk.lock(other));
      assertEquals(other + " is locked by this process under another name", e.getMessage());
      assertEquals(file + " is locked by another process", otherProcess(file));
    }
  }

  @Test
  void aLockOfAnotherProcessIsRespectedUntilItEnds() throws Exception {
    Path file = folder.resolve("lock");
    Process other = Probe.start(List.of(), "lock", file);
    try {
      assertEquals("locked", Probe.line(other));
      AlreadyLockedException e = assertThrows(AlreadyLockedException.class, () -> disk.lock(file));
      assertEquals(file + " is locked by another process", e.getMessage());
    } finally {
      other.destroyForcibly().waitFor();
    }
    disk.lock(file).close();
  }

  @Test
  void aLockThatIsGivenUpCanBeTakenAgain() throws IOException {
    Path file = folder.resolve("lock");
    disk.lock(file).close();
    disk.lock(file).close();
  }

  @Test
  void givingUpTwiceDoesNotFreeTheNextOnesLock() throws IOException {
    Path file = folder.resolve("lock");
    Disk.DiskLock first = disk.lock(file);
    first.close();
    try (Disk.DiskLock second = disk.lock(file)) {
      first.close();
      assertThrows(AlreadyLockedException.class, () -> disk.lock(file));
    }
  }

  @Test
  void aLockThatCannotBeTakenLeavesNothingHeld() throws IOException {
    Path missing = folder.resolve("none/lock");
    assertThrows(NoSuchFileException.class, () -> disk.lock(missing));
    Path directory = Files.createDirectory(folder.resolve("lock"));
    assertThrows(IOException.class, () -> disk.lock(directory));
    Files.delete(directory);
    disk.lock(directory).close();
  }

  /** What another process that wants the lock is told. */
  private static String otherProcess(Path file) throws Exception {
    Process other = Probe.start(List.of(), "lock", file);
    try {
      return Probe.line(other);
    } finally {
      other.destroyForcibly().waitFor();
    }
  }
}
