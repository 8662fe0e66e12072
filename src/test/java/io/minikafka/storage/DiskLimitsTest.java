package io.minikafka.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.minikafka.storage.Disk.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is really full, a process that really has no descriptors left. */
class DiskLimitsTest {
  private final Disk disk = new LocalDisk();

  @TempDir Path folder;

  @Test
  void aFullFileSystemIsToldApartAndWorksAgainWhenThereIsRoom() throws Exception {
    Path small = mountSmall();
    try {
      Path ballast = small.resolve("ballast");
      try (DiskFile file = disk.open(ballast, Mode.CREATE)) {
        ByteBuffer block = ByteBuffer.allocate(100_000);
        assertThrows(
            DiskFullException.class,
            () -> {
              for (long position = 0; ; position += block.capacity()) {
                file.write(block.clear(), position);
              }
            });
        assertTrue(disk.usableBytes(small) < 100_000);
        disk.delete(ballast);
      }
      try (DiskFile file = disk.open(small.resolve("after"), Mode.CREATE)) {
        file.write(ByteBuffer.allocate(100_000), 0);
        file.force();
      }
    } finally {
      run("umount", small.toString());
    }
  }

  @Test
  void aReplacementThatDoesNotFitLeavesTheOldContent() throws Exception {
    Path small = mountSmall();
    try {
      Path file = small.resolve("catalog");
      AtomicFile.replace(disk, file, text("old"));
      assertThrows(
          DiskFullException.class,
          () -> AtomicFile.replace(disk, file, ByteBuffer.allocate(2 << 20)));
      assertEquals(text("old"), AtomicFile.read(disk, file).orElseThrow());
      AtomicFile.replace(disk, file, text("new"));
      assertEquals(text("new"), AtomicFile.read(disk, file).orElseThrow());
    } finally {
      run("umount", small.toString());
    }
  }

  @Test
  void aProcessWithoutDescriptorsIsTold() throws Exception {
    Path file = Files.createFile(folder.resolve("f"));
    Process process =
        Probe.start(List.of("bash", "-c", "ulimit -n 100 && exec \"$@\"", "-"), "open", file);
    assertEquals("OpenFileLimitException", Probe.line(process));
    assertEquals(0, process.waitFor());
  }

  private Path mountSmall() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    if (run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()) != 0) {
      String reason = "a small file system cannot be mounted here (that takes root)";
      System.out.println(getClass().getSimpleName() + " skipped: " + reason);
      abort(reason);
    }
    return small;
  }

  private static int run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
