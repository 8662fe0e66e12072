package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path dir;

  @Test
  void aMissingDirectoryIsMadeWithItsParents() {
    Path data = dir.resolve("a/b");
    DataDirectory.prepare(new LocalDisk(), data);
    assertTrue(Files.isDirectory(data));
  }

  @Test
  void aFileInItsPlaceIsTold() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    StartRefused refused =
        assertThrows(
            StartRefused.class, () -> DataDirectory.prepare(new LocalDisk(), file.resolve("data")));
    assertEquals(
        "the data directory %s/data cannot be made: %s is no directory (--data-dir chooses another)"
            .formatted(file, file),
        refused.getMessage());
  }

  @Test
  void whoMayNotWriteIsToldWhoAndWhereAndWhatToDo() {
    StartRefused refused =
        DataDirectory.refused(dir.resolve("a/b"), new AccessDeniedException("x"));
    String message = String.valueOf(refused.getMessage());
    String user = System.getProperty("user.name");
    assertTrue(
        message.startsWith(
            "the data directory %s/a/b cannot be written by user %s: %s has mode rwx"
                .formatted(dir, user, dir)),
        message);
    assertTrue(message.endsWith("(chown), or choose another with --data-dir"), message);
  }

  @Test
  void aFileInItThatIsDeniedIsNamed() throws IOException {
    Path file = Files.createFile(dir.resolve("checkpoint"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));

    StartRefused refused = DataDirectory.refused(dir, new AccessDeniedException(file.toString()));

    String message = String.valueOf(refused.getMessage());
    String user = System.getProperty("user.name");
    assertTrue(
        message.startsWith(
            "%s in the data directory cannot be opened by user %s: it has mode -w------- (owner "
                .formatted(file, user)),
        message);
    assertTrue(
        message.endsWith(
            "; let that user read and write it (chown, chmod), or choose another directory with"
                + " --data-dir"),
        message);
  }

  @Test
  void whatCannotBeMadeInItIsTheFaultOfTheDirectory() {
    StartRefused refused =
        DataDirectory.refused(dir, new AccessDeniedException(dir.resolve("meta").toString()));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("the data directory " + dir + " cannot be written by"), message);
  }

  @Test
  void aUserWithoutANameIsToldByItsNumber() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self")), "no /proc here");
    Object uid = Files.getAttribute(Files.createFile(dir.resolve("mine")), "unix:uid");
    assertEquals("the user with uid " + uid, DataDirectory.user("?"));
    assertEquals("user kim", DataDirectory.user("kim"));
  }

  @Test
  void anythingElseIsToldInTheSystemsWords() {
    IOException full = new FileSystemException("/d/x", null, "No space left on device");
    assertEquals(
        "the data directory %s cannot be used: No space left on device (--data-dir chooses another)"
            .formatted(dir),
        DataDirectory.refused(dir, full).getMessage());
  }
}
