package io.minikafka.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small file is replaced as a whole, or not. */
class AtomicFileTest {
  private static final Path FOLDER = Path.of("/data");
  private static final Path FILE = FOLDER.resolve("catalog");

  @Test
  void whereverThePowerFailsTheContentIsTheOldOrTheNewOne() throws IOException {
    for (int step = 0; step <= steps(); step++) {
      for (ForgetfulDisk.Luck luck : ForgetfulDisk.Luck.values()) {
        ForgetfulDisk disk = new ForgetfulDisk();
        AtomicFile.replace(disk, FILE, text("the old content"));
        disk.failBefore(step);
        boolean returned = replaced(disk, "the new one");
        disk.restart(luck);
        String found = content(disk).orElse("nothing");
        String where = "power failed before step " + step + ", luck " + luck;
        assertTrue(List.of("the old content", "the new one").contains(found), where + ": " + found);
        if (returned) {
          assertEquals("the new one", found, where);
        }
        // Whatever was left lying about does not stop the next.
        AtomicFile.replace(disk, FILE, text("the next"));
        disk.restart(ForgetfulDisk.Luck.NONE);
        assertEquals(Optional.of("the next"), content(disk), where);
        assertEquals(List.of("catalog"), disk.list(FOLDER), where);
      }
    }
  }

  @Test
  void whereverThePowerFailsTheFirstContentIsThereWholeOrNotAtAll() throws IOException {
    for (int step = 0; step <= steps(); step++) {
      for (ForgetfulDisk.Luck luck : ForgetfulDisk.Luck.values()) {
        ForgetfulDisk disk = new ForgetfulDisk();
        disk.failBefore(step);
        boolean returned = replaced(disk, "the first");
        disk.restart(luck);
        Optional<String> found = content(disk);
        assertTrue(found.isEmpty() || found.get().equals("the first"), () -> "found " + found);
        assertTrue(!returned || found.isPresent());
      }
    }
  }

  /** All steps count, or the tests above would fail before too few of them. */
  @Test
  void aReplacementHasSixSteps() throws IOException {
    assertEquals(6, steps());
  }

  @Test
  void whatIsReadIsWholeOrNotThere(@TempDir Path folder) throws IOException {
    Disk disk = new LocalDisk();
    Path file = folder.resolve("f");
    assertEquals(Optional.empty(), AtomicFile.read(disk, file));
    AtomicFile.replace(disk, file, text("content"));
    assertEquals(Optional.of(text("content")), AtomicFile.read(disk, file));
  }

  @Test
  void aFileTooLargeToBeOneOfThemIsAnError(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("f");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(AtomicFile.MAX_BYTES + 1L);
    }
    IOException e = assertThrows(IOException.class, () -> AtomicFile.read(new LocalDisk(), file));
    assertEquals(file + " has 1073741825 bytes; the limit is 1073741824", e.getMessage());
  }

  private static int steps() throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk();
    disk.failBefore(Integer.MAX_VALUE);
    AtomicFile.replace(disk, FILE, text("x"));
    return disk.steps;
  }

  private static boolean replaced(Disk disk, String content) throws IOException {
    try {
      AtomicFile.replace(disk, FILE, text(content));
      return true;
    } catch (ForgetfulDisk.PowerFailure e) {
      return false;
    } catch (ForceFailedException e) {
      assertInstanceOf(ForgetfulDisk.PowerFailure.class, e.getCause());
      return false;
    }
  }

  private static Optional<String> content(Disk disk) throws IOException {
    return AtomicFile.read(disk, FILE)
        .map(bytes -> StandardCharsets.UTF_8.decode(bytes).toString());
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
