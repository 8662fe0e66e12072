package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongPredicate;

/**
 * Finds out what lies in the files of one log, and changes nothing: segments are read and checked
 * whole where that is due, else only their last entries are looked at.
 *
 * <p>Used once, by one thread. An {@link IOException} is a read error.
 */
final class Survey {
  /** Of an index file, for the place where its segment ends. */
  private static final int INDEX_TAIL_BYTES = 512 * OffsetIndex.ENTRY_BYTES;

  // Constant.
  private final Disk disk;
  private final Path directory;
  private final Window window;
  private final LogRules rules;
  private final int indexIntervalBytes;

  /** How each segment was scanned last, by base offset. */
  private final Map<Long, Scan> scans = new HashMap<>();

  private record Scan(long limitOffset, int lastEpoch) {}

  // What was found.
  private final List<SegmentReport> reports = new ArrayList<>();
  private int highestEpoch;
  private long durable;
  private long scannedBytes;
  private String newerVersion = "";

  Survey(Disk disk, Path directory, Window window, LogRules rules, int indexIntervalBytes) {
    this.disk = disk;
    this.directory = directory;
    this.window = window;
    this.rules = rules;
    this.indexIntervalBytes = indexIntervalBytes;
  }

  List<SegmentReport> reports() {
    return reports;
  }

  /** The highest epoch of any marker that was read and belongs here; 0 if there is none. */
  int highestEpoch() {
    return highestEpoch;
  }

  /** The highest durable offset that a marker witnesses. */
  long durable() {
    return durable;
  }

  long scannedBytes() {
    return scannedBytes;
  }

  /** Empty, or where a newer broker's marker stands: then nothing may be touched. */
  String newerVersion() {
    return newerVersion;
  }

  /**
   * Looks at all segments in order.
   *
   * @param toScan says of a base offset whether that segment is read whole
   */
  void run(List<Long> baseOffsets, LongPredicate toScan) throws IOException {
    for (int i = 0; i < baseOffsets.size() && newerVersion.isEmpty(); i++) {
      boolean isLast = i == baseOffsets.size() - 1;
      long base = baseOffsets.get(i);
      long limit = isLast ? Long.MAX_VALUE : baseOffsets.get(i + 1);
      Optional<SegmentReport> unread =
          !toScan.test(base) && !isLast ? lookAtEnd(base, limit) : Optional.empty();
      SegmentReport report = unread.isPresent() ? unread.get() : scan(base, limit, highestEpoch);
      // Only the last segment goes on being written; who needs another index reads it then.
      reports.add(isLast ? report : report.withoutIndexes());
    }
  }

  /** A complete segment whose last entries are where the next segment begins. */
  private Optional<SegmentReport> lookAtEnd(long base, long limit) throws IOException {
    Optional<OffsetIndex> pairs = lastPairs(base, limit);
    if (pairs.isEmpty()) {
      return Optional.empty();
    }
    Path path = LogFiles.log(directory, base);
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      int bytes = sizeOf(path, file.size());
      OffsetIndex index = pairs.get();
      int last = index.positionOrZero(index.count() - 1);
      if (bytes == 0 || bytes - last > Window.MOST_BYTES + indexIntervalBytes) {
        return Optional.empty();
      }
      window.open(file, bytes);
      boolean isWhole = index.count() * OffsetIndex.ENTRY_BYTES < INDEX_TAIL_BYTES;
      return TailWalk.of(window, index, rules, base, isWhole)
          .filter(tail -> tail.endOffset() == limit)
          .map(tail -> SegmentReport.unread(base, bytes, tail));
    }
  }

  private Optional<OffsetIndex> lastPairs(long base, long limit) throws IOException {
    try (DiskFile file = disk.open(LogFiles.offsetIndex(directory, base), Disk.Mode.READ)) {
      long bytes = file.size();
      if (bytes % OffsetIndex.ENTRY_BYTES != 0) {
        return Optional.empty();
      }
      ByteBuffer tail = ByteBuffer.allocate((int) Math.min(bytes, INDEX_TAIL_BYTES));
      file.read(tail, bytes - tail.capacity());
      return OffsetIndex.decode(tail.flip(), base, limit, Integer.MAX_VALUE);
    } catch (OpenFileLimitException e) {
      throw e;
    } catch (IOException e) {
      // Missing or not readable: it is only a cache.
      return Optional.empty();
    }
  }

  /**
   * @param segmentBytes an index has fewer bytes than its segment
   */
  private Optional<ByteBuffer> indexFile(Path file, int segmentBytes) throws IOException {
    try {
      return disk.size(file) <= segmentBytes ? AtomicFile.read(disk, file) : Optional.empty();
    } catch (OpenFileLimitException e) {
      throw e;
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Looks at the end of the log, and of the other segments at their first and last entries only:
   * whether they belong here and each goes on where the one before ends. One that does not is read
   * whole.
   *
   * @param marked segments with known damage are believed as they are
   * @return false if the end is not as the checkpoint says, or its index is not; then nothing was
   *     found out
   */
  boolean runClean(List<Long> baseOffsets, CheckpointEntry left, DamageRanges marked)
      throws IOException {
    int last = baseOffsets.size() - 1;
    Optional<SegmentReport> end = lookAtCleanEnd(baseOffsets.get(last), left);
    if (end.isEmpty()) {
      return false;
    }
    for (int i = 0; i < last; i++) {
      long base = baseOffsets.get(i);
      long next = baseOffsets.get(i + 1);
      Optional<SegmentReport> asLeft = glance(base, next, !marked.in(base).isEmpty());
      reports.add(asLeft.isPresent() ? asLeft.get() : scan(base, next, 0).withoutIndexes());
    }
    reports.add(end.get());
    for (int i = last; i >= 0 && reports.get(i).lastAppendTime() == Long.MIN_VALUE; i--) {
      if (i < last && !reports.get(i).scanned()) {
        long next = baseOffsets.get(i + 1);
        Optional<SegmentReport> looked = lookAtEnd(baseOffsets.get(i), next);
        reports.set(i, looked.isPresent() ? looked.get() : scan(baseOffsets.get(i), next, 0));
      }
    }
    return true;
  }

  /** Believes a complete segment if its first and last entries are where they must be. */
  private Optional<SegmentReport> glance(long base, long limit, boolean isDamaged)
      throws IOException {
    Path path = LogFiles.log(directory, base);
    if (isDamaged) {
      return Optional.of(SegmentReport.believed(base, sizeOf(path, disk.size(path)), limit));
    }
    Optional<OffsetIndex> pairs = lastPairs(base, limit);
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      int bytes = sizeOf(path, file.size());
      window.open(file, bytes);
      // Without an index the end is looked at when the segment is first used.
      boolean asLeft =
          FirstEntries.belong(file, bytes, base, rules)
              && (pairs.isEmpty() || TailWalk.endsAt(window, pairs.get(), rules, base, limit));
      return asLeft ? Optional.of(SegmentReport.believed(base, bytes, limit)) : Optional.empty();
    }
  }

  private Optional<SegmentReport> lookAtCleanEnd(long base, CheckpointEntry left)
      throws IOException {
    try (DiskFile file = disk.open(LogFiles.log(directory, base), Disk.Mode.READ)) {
      int bytes = sizeOf(LogFiles.log(directory, base), file.size());
      if (bytes != left.endPosition() || left.end() < base) {
        return Optional.empty();
      }
      if (bytes == 0) {
        return left.end() == base
            ? Optional.of(SegmentReport.empty(base, indexIntervalBytes))
            : Optional.empty();
      }
      Optional<OffsetIndex> offsets =
          indexFile(LogFiles.offsetIndex(directory, base), bytes)
              .flatMap(content -> OffsetIndex.decode(content, base, left.end(), bytes));
      Optional<TimeIndex> times =
          indexFile(LogFiles.timeIndex(directory, base), bytes)
              .flatMap(content -> TimeIndex.decode(content, base, left.end()));
      if (offsets.isEmpty() || times.isEmpty()) {
        return Optional.empty();
      }
      window.open(file, bytes);
      return TailWalk.of(window, offsets.get(), rules, base, true)
          .filter(tail -> tail.endOffset() == left.end())
          .filter(tail -> tail.lastMarkerCrc() == left.lastMarkerCrc())
          .filter(tail -> tail.isLastOf(times.get()))
          .map(
              tail ->
                  SegmentReport.unread(base, bytes, tail)
                      .withIndexes(
                          new SegmentIndexes(offsets.get(), times.get(), indexIntervalBytes)));
    }
  }

  /** Reads the first bytes of a segment again, when what lies behind them is gone. */
  SegmentReport scanFront(long base, int bytes) throws IOException {
    return scan(base, Long.MAX_VALUE, 0, OptionalInt.of(bytes));
  }

  /**
   * Reads a segment again that was scanned, in the same way.
   *
   * @throws IOException if it is not what it was
   */
  void checkUnchanged(SegmentReport before) throws IOException {
    long base = before.baseOffset();
    Scan scan = scans.getOrDefault(base, new Scan(Long.MAX_VALUE, 0));
    SegmentReport now =
        scan(base, scan.limitOffset, scan.lastEpoch, OptionalInt.of(before.bytes()));
    if (now.fingerprint() != before.fingerprint()) {
      throw new IOException(
          "%s changed while it was being made durable: the disk does not hold what was read first"
              .formatted(LogFiles.log(directory, base)));
    }
  }

  private SegmentReport scan(long base, long limit, int lastEpoch) throws IOException {
    return scan(base, limit, lastEpoch, OptionalInt.empty());
  }

  private SegmentReport scan(long base, long limit, int lastEpoch, OptionalInt upTo)
      throws IOException {
    Path path = LogFiles.log(directory, base);
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      window.open(file, upTo.orElse(sizeOf(path, file.size())));
      scannedBytes += window.size();
      scans.put(base, new Scan(limit, lastEpoch));
      SegmentScan scan = new SegmentScan(window, rules, base, limit, lastEpoch, indexIntervalBytes);
      SegmentReport report = report(scan, base, limit);
      highestEpoch = Math.max(highestEpoch, scan.lastEpoch());
      return report;
    }
  }

  private SegmentReport report(SegmentScan scan, long base, long limit) throws IOException {
    List<DamageRange> bad = new ArrayList<>();
    boolean lost = false;
    int lastGood = -1;
    int lastCrc = 0;
    long lastTime = Long.MIN_VALUE;
    long fingerprint = 0;
    long endOffset = base;
    for (boolean goesOn = true; goesOn; ) {
      switch (scan.next()) {
        case Found.Batch batch -> {
          lastGood = batch.position();
          lastCrc = batch.markerCrc();
          lastTime = batch.marker().appendTime();
          fingerprint = 31 * (31 * fingerprint + lastGood) + lastCrc;
          witness(batch.marker());
        }
        case Found.Gap gap -> lastGood = gap.position();
        case Found.BadBatch batch -> {
          BatchMarker marker = batch.marker();
          lost = marker.bytes() > batch.toPosition() - batch.position() - BatchMarker.BYTES;
          bad.add(
              new DamageRange(
                  marker.baseOffset(),
                  marker.baseOffset() + marker.span(),
                  base,
                  batch.position(),
                  batch.toPosition(),
                  batch.what()));
          witness(marker);
        }
        case Found.BadRange range -> {
          lost = range.to() == Found.BadRange.UNKNOWN;
          long last = limit == Long.MAX_VALUE ? range.from() : limit;
          bad.add(
              new DamageRange(
                  range.from(),
                  lost ? last : range.to(),
                  base,
                  range.position(),
                  range.toPosition(),
                  range.what()));
        }
        case Found.NewerVersion newer -> {
          newerVersion =
              "%s holds a batch of version %d at position %d; this broker knows version %d"
                  .formatted(
                      LogFiles.log(directory, base).getFileName(),
                      newer.version(),
                      newer.position(),
                      BatchMarker.VERSION);
          goesOn = false;
        }
        case Found.End end -> {
          endOffset = end.nextOffset();
          goesOn = false;
        }
      }
    }
    return new SegmentReport(
        base,
        window.size(),
        List.copyOf(bad),
        endOffset,
        lost,
        lastGood,
        lastCrc,
        lastTime,
        true,
        fingerprint,
        Optional.of(scan.indexes()));
  }

  private void witness(BatchMarker marker) {
    if (marker.logEpoch() >= rules.leastEpoch()) {
      durable = Math.max(durable, marker.durableOffset());
    }
  }

  private static int sizeOf(Path file, long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException("%s has %d bytes; a segment has at most 2^31-1".formatted(file, bytes));
    }
    return (int) bytes;
  }
}
