package io.minikafka.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.storage.Disk.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the disk, kept by the real one. */
class LocalDiskTest {
  private final Disk disk = new LocalDisk();

  @TempDir Path folder;

  @Test
  void modesSayWhetherTheFileMustBeThere() throws IOException {
    Path file = folder.resolve("f");
    assertThrows(NoSuchFileException.class, () -> disk.open(file, Mode.READ));
    assertThrows(NoSuchFileException.class, () -> disk.open(file, Mode.WRITE));
    disk.open(file, Mode.CREATE).close();
    assertThrows(FileAlreadyExistsException.class, () -> disk.open(file, Mode.CREATE));
    disk.open(file, Mode.WRITE).close();
    disk.open(file, Mode.READ).close();
  }

  @Test
  void bytesAreReadWhereTheyWereWritten() throws IOException {
    try (DiskFile file = disk.open(folder.resolve("f"), Mode.CREATE)) {
      file.write(text("hello"), 3);
      file.write(text("J"), 3);
      assertEquals(8, file.size());
      assertEquals("\0\0\0Jello", read(file, 0, 100));
      assertEquals("el", read(file, 4, 2));
      assertEquals("", read(file, 8, 5));
      assertEquals("", read(file, 800, 5));
      file.truncate(5);
      assertEquals("\0\0\0Je", read(file, 0, 100));
      assertThrows(IllegalArgumentException.class, () -> file.truncate(6));
      file.force();
    }
  }

  @Test
  void aClosedFileIsClosedAgainWithoutHarm() throws IOException {
    DiskFile file = disk.open(folder.resolve("f"), Mode.CREATE);
    file.close();
    file.close();
    assertThrows(IOException.class, () -> file.write(text("x"), 0));
  }

  @Test
  void whatWasDeletedCanStillBeReadByWhoHasItOpen() throws IOException {
    Path path = folder.resolve("f");
    try (DiskFile file = disk.open(path, Mode.CREATE)) {
      file.write(text("still here"), 0);
      disk.delete(path);
      assertFalse(disk.exists(path));
      assertEquals("still here", read(file, 0, 100));
    }
  }

  @Test
  @Timeout(30)
  void onlyRegularFilesAreOpenedForReadingAndLocked() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (Path file : List.of(pipe, Files.createDirectory(folder.resolve("d")))) {
      String refusal = file + " is no regular file";
      IOException read = assertThrows(IOException.class, () -> disk.open(file, Mode.READ));
      assertEquals(refusal, read.getMessage());
      IOException lock = assertThrows(IOException.class, () -> disk.lock(file));
      assertEquals(refusal, lock.getMessage());
    }
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("f"));
    Files.createFile(folder.resolve("f"));
    disk.open(link, Mode.READ).close();
  }

  @Test
  void namesAreListedSorted() throws IOException {
    for (String name : List.of("b", "a", "C", "10", "9")) {
      Files.createFile(folder.resolve(name));
    }
    assertEquals(List.of("10", "9", "C", "a", "b"), disk.list(folder));
    assertThrows(NoSuchFileException.class, () -> disk.list(folder.resolve("none")));
    assertThrows(NoSuchFileException.class, () -> disk.list(folder.resolve("a")));
  }

  @Test
  void renamingReplacesATarget() throws IOException {
    Files.writeString(folder.resolve("from"), "new");
    Files.writeString(folder.resolve("to"), "old");
    disk.rename(folder.resolve("from"), folder.resolve("to"));
    assertEquals("new", Files.readString(folder.resolve("to")));
    assertFalse(disk.exists(folder.resolve("from")));
    assertThrows(
        NoSuchFileException.class, () -> disk.rename(folder.resolve("from"), folder.resolve("to")));
  }

  @Test
  void deletingWhatIsNotThereIsNoErrorButAFullDirectoryIs() throws IOException {
    disk.delete(folder.resolve("none"));
    disk.delete(folder.resolve("none/below"));
    disk.createDirectories(folder.resolve("d"));
    Files.createFile(folder.resolve("d/f"));
    assertThrows(IOException.class, () -> disk.delete(folder.resolve("d")));
    disk.delete(folder.resolve("d/f"));
    disk.delete(folder.resolve("d"));
    assertFalse(disk.exists(folder.resolve("d")));
  }

  @Test
  void aFileIsNoDirectoryAndHasNothingBelowIt() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "abc");
    assertTrue(disk.exists(file));
    assertFalse(disk.isDirectory(file));
    assertTrue(disk.isDirectory(folder));
    assertEquals(3, disk.size(file));
    assertFalse(disk.exists(file.resolve("x")));
    assertFalse(disk.isDirectory(file.resolve("x")));
    assertThrows(IOException.class, () -> disk.createDirectories(file.resolve("x")));
    assertThrows(IOException.class, () -> disk.createDirectories(file));
  }

  /**
   * "Not there" would be taken for "start afresh". A name too long is the case that also root
   * meets.
   */
  @Test
  void whatCannotBeLookedAtIsNotSaidToBeMissing() {
    Path unknowable = folder.resolve("x".repeat(300));
    assertThrows(IOException.class, () -> disk.exists(unknowable));
    assertThrows(IOException.class, () -> disk.isDirectory(unknowable));
  }

  @Test
  void directoriesAreMadeWithTheirParents() throws IOException {
    disk.createDirectories(folder.resolve("a/b/c"));
    disk.createDirectories(folder.resolve("a/b/c"));
    assertTrue(disk.isDirectory(folder.resolve("a/b/c")));
    disk.forceDirectory(folder.resolve("a/b"));
    assertThrows(IOException.class, () -> disk.forceDirectory(folder.resolve("none")));
  }

  @Test
  void manyMayMakeTheSameDirectoriesAtOnce() throws Exception {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int round = 0; round < 50; round++) {
      Path topic = folder.resolve("topic" + round);
      List<Thread> threads = new ArrayList<>();
      for (int partition = 0; partition < 4; partition++) {
        Path path = topic.resolve(Integer.toString(partition));
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        disk.createDirectories(path);
                      } catch (Throwable e) {
                        failures.add(e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void thereIsRoomToWrite() throws IOException {
    assertTrue(disk.usableBytes(folder) > 0);
  }

  @Test
  void aDeviceWithoutRoomIsToldApart() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no /dev/full here");
    try (DiskFile file = disk.open(full, Mode.WRITE)) {
      DiskFullException e = assertThrows(DiskFullException.class, () -> file.write(text("x"), 0));
      assertTrue(String.valueOf(e.getMessage()).startsWith("/dev/full: "), e::getMessage);
    }
  }

  @Test
  void errorsAreClassifiedByWhatTheSystemSays() {
    Path path = Path.of("f");
    for (String text : List.of("No space left on device", "Disk quota exceeded")) {
      assertEquals(
          DiskFullException.class, LocalDisk.classify(path, new IOException(text)).getClass());
    }
    assertEquals(
        OpenFileLimitException.class,
        LocalDisk.classify(path, new IOException("f: Too many open files")).getClass());
    IOException other = new IOException("Input/output error");
    assertEquals(other, LocalDisk.classify(path, other));
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(DiskFile file, long position, int bytes) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes);
    int read = file.read(target, position);
    assertEquals(read, target.position());
    return new String(target.array(), 0, read, StandardCharsets.UTF_8);
  }
}
