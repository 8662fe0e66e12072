package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Scans the newest segment from its begin and cuts it at the last whole batch. */
final class ScanRecovery implements Recoverer {
  private final Disk disk;
  private final Path data;

  ScanRecovery(Disk disk, Path data) {
    this.disk = disk;
    this.data = data;
  }

  @Override
  public RecoveredLog recover(
      PartitionId id, Optional<CheckpointEntry> known, boolean clean, int indexIntervalBytes)
      throws IOException {
    Path directory = LogFiles.partition(data, id);
    List<Long> bases = bases(directory);
    long start = known.map(CheckpointEntry::start).orElse(0L);
    int epoch = known.map(CheckpointEntry::logEpoch).orElse(0);
    if (bases.isEmpty()) {
      return RecoveredLog.empty(id);
    }
    List<RecoveredLog.Sealed> sealed = new ArrayList<>();
    for (int i = 0; i + 1 < bases.size(); i++) {
      long base = bases.get(i);
      int bytes = (int) disk.size(LogFiles.log(directory, base));
      sealed.add(new RecoveredLog.Sealed(base, bases.get(i + 1), bytes));
    }
    long base = bases.getLast();
    try (DiskFile file = disk.open(LogFiles.log(directory, base), Disk.Mode.WRITE)) {
      int size = (int) file.size();
      ByteBuffer in = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
      file.read(in, 0);
      in.flip();
      SegmentIndexes indexes = new SegmentIndexes(base, indexIntervalBytes);
      int at = 0;
      int crc = 0;
      long next = base;
      while (BatchMarker.check(in, at, size) == BatchMarker.Check.GOOD) {
        BatchMarker marker = BatchMarker.read(in, at);
        int end = at + BatchMarker.BYTES + marker.bytes();
        if (marker.baseOffset() != next || end > size || !isWhole(in, at, end)) {
          break;
        }
        indexes.addBatch(in, at, end - at, at);
        crc = Entry.crc(in, at);
        epoch = Math.max(epoch, marker.logEpoch());
        next += marker.span();
        at = end;
      }
      file.truncate(at);
      file.force();
      return new RecoveredLog(
          id,
          sealed,
          Optional.of(new RecoveredLog.Active(base, at, indexes)),
          epoch + 1,
          Math.max(start, bases.getFirst()),
          next,
          crc,
          indexes.lastAppendTime(),
          DamageRanges.NONE,
          "",
          true,
          size,
          size - at);
    }
  }

  private static boolean isWhole(ByteBuffer in, int markerAt, int end) {
    int at = markerAt + BatchMarker.BYTES;
    while (at < end) {
      if (Entry.problem(in, at, end) != Entry.Problem.NONE || !Entry.checksumHolds(in, at)) {
        return false;
      }
      at += Entry.bytes(in, at);
    }
    return true;
  }

  private List<Long> bases(Path directory) throws IOException {
    try {
      return disk.list(directory).stream()
          .map(name -> LogFiles.baseOffset(name, LogFiles.LOG))
          .filter(OptionalLong::isPresent)
          .map(OptionalLong::getAsLong)
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
