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
 * Keeps what recovery cuts off, for whoever wants to look at it later: one file for each piece,
 * byte for byte. Bounded in total; beyond that, or without room on the disk, a copy holds only the
 * front of its piece, and that is said. Nothing in it is ever read or deleted by the broker.
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
