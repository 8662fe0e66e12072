package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Keeps what recovery cuts off and repairs give up, for whoever wants to look at it later: one file
 * for each piece, byte for byte. Bounded in total; beyond that, or without room on the disk, a copy
 * of a torn tail holds only the front of its piece, and that is said, and a repair is not done.
 * Nothing in it is ever read or deleted by the broker.
 *
 * <p>Any thread; one copy at a time.
 */
final class Quarantine {
  private static final int BLOCK_BYTES = 1 << 18;

  private final Disk disk;
  private final Path data;
  private final EngineObserver observer;
  private final long mostBytes;

  /**
   * @param mostBytes bound of all copies together
   */
  Quarantine(Disk disk, Path data, EngineObserver observer, long mostBytes) {
    this.disk = disk;
    this.data = data;
    this.observer = observer;
    this.mostBytes = mostBytes;
  }

  /** Copies the end of a segment; durable when this returns. */
  synchronized void copy(PartitionId id, long base, DiskFile segment, int from, int to)
      throws IOException {
    disk.createDirectories(LogFiles.quarantine(data));
    int bytes = (int) Math.min(to - from, Math.max(0, mostBytes - usedBytes()));
    if (bytes < to - from) {
      observer.onStranger(
          LogFiles.quarantine(data).toString(),
          "is full (%d bytes): of the torn tail of %s, %d bytes at offset %d, it takes %d"
              .formatted(mostBytes, id, to - from, base, bytes));
    }
    if (bytes == 0) {
      return;
    }
    Path copy = unused(id, base, from);
    try (DiskFile out = disk.open(copy, Disk.Mode.CREATE)) {
      copy(segment, from, from + bytes, out);
      out.force();
    } catch (DiskFullException e) {
      // Room for it may never come, and nothing in it was promised to anyone.
      disk.delete(copy);
      observer.onStranger(
          copy.toString(), "was not made, the disk is full: the torn tail is cut without a copy");
    }
    disk.forceDirectory(LogFiles.quarantine(data));
  }

  /** Bytes of which copies can still be made. */
  synchronized long roomBytes() throws IOException {
    return disk.exists(LogFiles.quarantine(data))
        ? Math.max(0, mostBytes - usedBytes())
        : mostBytes;
  }

  /**
   * Copies a piece of a segment, all of it; durable when this returns.
   *
   * @return the copy
   * @throws DiskFullException if there is no room for it; then nothing of it is left
   */
  synchronized Path keep(PartitionId id, long base, DiskFile segment, int from, int to)
      throws IOException {
    disk.createDirectories(LogFiles.quarantine(data));
    disk.forceDirectory(data);
    if (to - from > mostBytes - usedBytes()) {
      throw new DiskFullException(
          "%s may hold %d bytes and has no room for %d more"
              .formatted(LogFiles.quarantine(data), mostBytes, to - from));
    }
    Path copy = unused(id, base, from);
    boolean whole = false;
    try (DiskFile out = disk.open(copy, Disk.Mode.CREATE)) {
      copy(segment, from, to, out);
      out.force();
      whole = true;
    } finally {
      if (!whole) {
        disk.delete(copy);
      }
    }
    disk.forceDirectory(LogFiles.quarantine(data));
    return copy;
  }

  /** Takes a copy back of what was not given up after all. */
  void forget(Path copy) throws IOException {
    disk.delete(copy);
  }

  private static void copy(DiskFile in, int from, int to, DiskFile out) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    int at = from;
    while (at < to) {
      block.clear().limit(Math.min(block.capacity(), to - at));
      int read = in.read(block, at);
      if (read == 0) {
        throw new IOException("%s ends at %d, not at %d".formatted(in, at, to));
      }
      out.write(block.flip(), at - from);
      at += read;
    }
  }

  private Path unused(PartitionId id, long base, int position) throws IOException {
    int ordinal = 0;
    while (disk.exists(LogFiles.quarantined(data, id, base, position, ordinal))) {
      ordinal++;
    }
    return LogFiles.quarantined(data, id, base, position, ordinal);
  }

  private long usedBytes() throws IOException {
    long bytes = 0;
    for (String name : disk.list(LogFiles.quarantine(data))) {
      try {
        bytes += disk.size(LogFiles.quarantine(data).resolve(name));
      } catch (NoSuchFileException e) {
        // An operator is clearing up.
        bytes += 0;
      }
    }
    return bytes;
  }
}
