package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is held back for the few things that must get done when nothing is left: bytes on the disk,
 * so that a checkpoint, and then retention, can make room on a full one, and a file descriptor, so
 * that acknowledgements do not hang on a directory that cannot be opened to be forced.
 *
 * <p>Best effort: without room for the reserve there is none, until there is. Any thread.
 */
final class Reserve {
  private final Disk disk;
  private final Path file;

  // Guarded by this.
  private @Nullable DiskFile held;

  Reserve(Disk disk, Path file) {
    this.disk = disk;
    this.file = file;
  }

  /** Work that needs a descriptor for a moment. */
  interface Task {
    void run() throws IOException;
  }

  /** Makes the reserve if it is not there. */
  synchronized void keep(int bytes) {
    if (held != null) {
      return;
    }
    try {
      if (!disk.exists(file) || disk.size(file) < bytes) {
        disk.delete(file);
        write(bytes);
      }
      held = disk.open(file, Disk.Mode.READ);
    } catch (IOException e) {
      System.getLogger(Reserve.class.getName())
          .log(System.Logger.Level.DEBUG, "nothing is in reserve: {0}", e.getMessage());
    }
  }

  private void write(int bytes) throws IOException {
    try (DiskFile out = disk.open(file, Disk.Mode.CREATE)) {
      out.write(ByteBuffer.allocate(bytes), 0);
    } catch (IOException e) {
      disk.delete(file);
      throw e;
    }
  }

  /**
   * Gives up the bytes.
   *
   * @return how many there were
   */
  private synchronized int giveUpBytes() throws IOException {
    // Open, they would stay taken.
    letGo();
    int bytes = disk.exists(file) ? Math.toIntExact(disk.size(file)) : 0;
    disk.delete(file);
    return bytes;
  }

  /**
   * Runs a task, a second time with the bytes given up if there is no room for it. They are taken
   * back at once if they are still there: what is replaced takes no more than before, and the next
   * one wants them too.
   */
  void runMakingRoom(Task task) throws IOException {
    try {
      task.run();
    } catch (DiskFullException e) {
      int bytes = giveUpBytes();
      if (bytes == 0) {
        throw e;
      }
      try {
        task.run();
      } finally {
        keep(bytes);
      }
    }
  }

  /** Runs a task, with the descriptor held in reserve if there is no other. */
  void run(Task task) throws IOException {
    try {
      task.run();
    } catch (OpenFileLimitException e) {
      runOnReserve(task, e);
    }
  }

  private synchronized void runOnReserve(Task task, OpenFileLimitException none)
      throws IOException {
    if (held == null) {
      throw none;
    }
    letGo();
    try {
      task.run();
    } finally {
      keep(0);
    }
  }

  synchronized void letGo() throws IOException {
    DiskFile open = held;
    held = null;
    if (open != null) {
      open.close();
    }
  }
}
