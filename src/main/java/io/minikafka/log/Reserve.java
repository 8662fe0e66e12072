package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * What is held back for the few things that must get done when nothing is left: bytes on the disk,
 * so that a checkpoint, and then retention, can make room on a full one, and a file descriptor, so
 * that acknowledgements do not hang on a directory that cannot be opened to be forced.
 *
 * <p>While the bytes are given up nothing is appended ({@link #beginAppend}): what is free then is
 * for what it was given up for, and is taken back behind it.
 *
 * <p>Best effort: where there is no room for all of the reserve there is less, until there is. Any
 * thread.
 */
final class Reserve {
  /** What is not worth another try. */
  private static final int LEAST_STEP_BYTES = 4 << 10;

  private static final System.Logger LOG = System.getLogger(Reserve.class.getName());

  private final Disk disk;
  private final Path file;

  /** Read by who appends, written by who gives up bytes. */
  private final StampedLock room = new StampedLock();

  // Guarded by this.
  private @Nullable DiskFile held;
  private int heldBytes;
  private boolean isShort;

  Reserve(Disk disk, Path file) {
    this.disk = disk;
    this.file = file;
  }

  /** Work that needs a descriptor for a moment. */
  interface Task {
    void run() throws IOException;
  }

  /**
   * Waits while the bytes are given up; that takes as long as a checkpoint, and happens on a full
   * disk only.
   *
   * @return for {@link #endAppend}
   */
  long beginAppend() {
    return room.readLock();
  }

  void endAppend(long stamp) {
    room.unlockRead(stamp);
  }

  /** Makes the reserve so large if it is not, or as large as it can be, and says so then. */
  synchronized void keep(int bytes) {
    take(bytes);
    tell(bytes);
  }

  private synchronized void take(int bytes) {
    if (held != null && heldBytes >= bytes) {
      return;
    }
    try {
      letGo();
      heldBytes = disk.exists(file) ? Math.toIntExact(disk.size(file)) : 0;
      if (heldBytes < bytes) {
        heldBytes = grow(heldBytes, bytes);
      }
      if (heldBytes > 0) {
        held = disk.open(file, Disk.Mode.READ);
      } else {
        disk.delete(file);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "nothing is in reserve: {0}", e.getMessage());
    }
  }

  /** In smaller steps where there is no room for larger ones. */
  private int grow(int from, int to) throws IOException {
    int at = from;
    try (DiskFile out = disk.open(file, disk.exists(file) ? Disk.Mode.WRITE : Disk.Mode.CREATE)) {
      int step = to - from;
      while (at < to && step >= Math.min(LEAST_STEP_BYTES, to - from)) {
        int more = Math.min(step, to - at);
        try {
          out.write(ByteBuffer.allocate(more), at);
          at += more;
        } catch (DiskFullException e) {
          out.truncate(at);
          step /= 2;
        }
      }
    }
    return at;
  }

  private void tell(int bytes) {
    int there = heldBytes;
    boolean isLess = there < bytes;
    if (isLess && !isShort) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s has %d bytes of the %d that are kept for making room on a full disk; there is no room for more"
                  .formatted(file, there, bytes));
    }
    isShort = isLess;
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
    heldBytes = 0;
    return bytes;
  }

  /**
   * Runs a task, a second time with the bytes given up if there is no room for it. They are taken
   * back at once as far as they are still there: what is replaced takes no more than before, and
   * the next one wants them too. Nothing is appended meanwhile.
   */
  void runMakingRoom(Task task) throws IOException {
    try {
      task.run();
    } catch (DiskFullException e) {
      long stamp = room.writeLock();
      try {
        runOnBytes(task, e);
      } finally {
        room.unlockWrite(stamp);
      }
    }
  }

  private void runOnBytes(Task task, DiskFullException full) throws IOException {
    int bytes = giveUpBytes();
    if (bytes == 0) {
      throw full;
    }
    try {
      task.run();
    } finally {
      take(bytes);
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
      take(0);
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
