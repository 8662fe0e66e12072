package io.minikafka.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Replaces a small file as a whole: after a crash at any point it holds the old content or the new
 * one, never a mixture. The steps: write {@code <name>.tmp}, force it, rename it over the file,
 * force the directory. One writer at a time.
 */
public final class AtomicFile {
  /** Far above what is kept so, far below what an array can hold. */
  static final int MAX_BYTES = 1 << 30;

  private AtomicFile() {}

  /**
   * Durable when this returns. On an exception either content may survive.
   *
   * @throws ForceFailedException the new content is there, and may be gone after a power loss
   *     whatever is done now
   */
  public static void replace(Disk disk, Path file, ByteBuffer content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    disk.delete(temporary);
    try (DiskFile out = disk.open(temporary, Disk.Mode.CREATE)) {
      out.write(content, 0);
      out.force();
    }
    disk.rename(temporary, file);
    disk.forceNames(file.toAbsolutePath().resolveSibling("").normalize());
  }

  /**
   * The whole content, or empty if there is no such file.
   *
   * @throws IOException also if the file is too large to have been written here
   */
  public static Optional<ByteBuffer> read(Disk disk, Path file) throws IOException {
    try (DiskFile in = disk.open(file, Disk.Mode.READ)) {
      long bytes = in.size();
      if (bytes > MAX_BYTES) {
        throw new IOException("%s has %d bytes; the limit is %d".formatted(file, bytes, MAX_BYTES));
      }
      ByteBuffer content = ByteBuffer.allocate((int) bytes);
      in.read(content, 0);
      return Optional.of(content.flip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
