package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out a verdict on the files of one log. Each step leaves a state that the next recovery
 * understands: later segments go before earlier ones, names before bytes, copies before either.
 *
 * <p>One thread.
 */
final class Mend {
  private static final int BLOCK_BYTES = 1 << 18;

  private final Disk disk;
  private final PartitionId id;
  private final Path directory;
  private final Quarantine quarantine;

  Mend(Disk disk, PartitionId id, Path directory, Quarantine quarantine) {
    this.disk = disk;
    this.id = id;
    this.directory = directory;
    this.quarantine = quarantine;
  }

  /**
   * Cuts the torn tail.
   *
   * @return bytes that are gone
   */
  long cut(List<SegmentReport> segments, Verdict.Cut cut) throws IOException {
    long bytes = 0;
    for (int i = Math.max(cut.ordinal(), 0); i < segments.size(); i++) {
      SegmentReport segment = segments.get(i);
      int from = i == cut.ordinal() ? cut.position() : 0;
      if (from < segment.bytes()) {
        bytes += segment.bytes() - from;
        try (DiskFile file = open(segment, Disk.Mode.READ)) {
          quarantine.copy(id, segment.baseOffset(), file, from, segment.bytes());
        }
      }
    }
    for (int i = segments.size() - 1; i > cut.ordinal(); i--) {
      removeSegment(segments.get(i).baseOffset());
    }
    disk.forceNames(directory);
    if (cut.ordinal() >= 0 && cut.position() < segments.get(cut.ordinal()).bytes()) {
      try (DiskFile file = open(segments.get(cut.ordinal()), Disk.Mode.WRITE)) {
        file.truncate(cut.position());
        file.force();
      }
    }
    return bytes;
  }

  /** Ends what retention began: segments below the log start, oldest first. */
  void removeExpired(List<Long> baseOffsets) throws IOException {
    for (long base : baseOffsets) {
      removeSegment(base);
    }
  }

  /**
   * Makes what is kept durable: it may have been written just before a crash of the process. What
   * is not known to be durable is written again before it is forced: if a force of the process that
   * was killed had failed, its pages may count as clean although the disk does not hold them, and
   * to force them again would do nothing and report success.
   *
   * @param durable all below it was forced
   * @return the segments of which bytes were written again
   */
  List<SegmentReport> force(List<SegmentReport> kept, long durable) throws IOException {
    List<SegmentReport> rewritten = new ArrayList<>();
    for (SegmentReport segment : kept) {
      // What was not read lies below the durable offset and was forced long ago.
      if (segment.scanned()) {
        int from = segment.durableBytes(durable);
        try (DiskFile file = open(segment, Disk.Mode.WRITE)) {
          rewrite(file, from, segment.bytes());
          file.force();
        }
        if (from < segment.bytes()) {
          rewritten.add(segment);
        }
      }
    }
    disk.forceNames(directory);
    disk.forceNames(directory.resolveSibling("").normalize());
    return rewritten;
  }

  private static void rewrite(DiskFile file, int from, int to) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(Math.min(BLOCK_BYTES, to - from));
    try {
      for (int at = from; at < to; at += block.limit()) {
        block.clear().limit(Math.min(block.capacity(), to - at));
        if (file.read(block, at) < block.limit()) {
          throw new IOException("%s ends before %d".formatted(file, to));
        }
        file.write(block.flip(), at);
      }
    } catch (DiskFullException e) {
      // Offline, this partition does not keep the others from starting and making room.
      throw new IOException("no room to write its end again: " + e.getMessage(), e);
    }
  }

  private void removeSegment(long base) throws IOException {
    disk.delete(LogFiles.offsetIndex(directory, base));
    disk.delete(LogFiles.timeIndex(directory, base));
    disk.delete(LogFiles.log(directory, base));
  }

  private DiskFile open(SegmentReport segment, Disk.Mode mode) throws IOException {
    return disk.open(LogFiles.log(directory, segment.baseOffset()), mode);
  }
}
