package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Carries out a verdict on the files of one log. Each step leaves a state that the next recovery
 * understands: later segments go before earlier ones, names before bytes, copies before either.
 *
 * <p>One thread.
 */
final class Mend {
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
    disk.forceDirectory(directory);
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

  /** Makes what is kept durable: it may have been written just before a crash of the process. */
  void force(List<SegmentReport> kept) throws IOException {
    for (SegmentReport segment : kept) {
      // What was not read lies below the durable offset and was forced long ago.
      if (segment.scanned()) {
        try (DiskFile file = open(segment, Disk.Mode.WRITE)) {
          file.force();
        }
      }
    }
    disk.forceDirectory(directory);
    disk.forceDirectory(directory.resolveSibling("").normalize());
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
