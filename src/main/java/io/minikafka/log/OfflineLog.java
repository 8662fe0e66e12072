package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the log of a partition from its files as recovery would, byte by byte, without a broker and
 * without changing anything; for tools. What a crash left of a compaction or a repair counts as
 * recovery would count it. What it says of the newest segment means nothing while a broker writes
 * there.
 *
 * <p>Stateless; any thread.
 */
public final class OfflineLog {
  private OfflineLog() {}

  /** What stands in a log, in offset order. */
  public sealed interface Step {
    /** A whole batch. */
    record Batch(long segmentBase, int position, int bytes, BatchMarker marker) implements Step {}

    /**
     * Offsets without records.
     *
     * @param lost whether a repair skipped damage there; else compaction emptied them
     */
    record Gap(long segmentBase, int position, long offset, int span, boolean lost)
        implements Step {}

    /**
     * Bytes that are not what they should be, or are missing.
     *
     * @param to first good offset behind; −1 if nothing good follows
     * @param toPosition behind the bad bytes; equals {@code position} if they are missing
     */
    record Bad(long segmentBase, int position, int toPosition, long from, long to, String what)
        implements Step {}

    /** Written by a newer broker; the rest of its segment was not read. */
    record NewerVersion(long segmentBase, int position, int version) implements Step {}
  }

  /**
   * Walks all segments, oldest first.
   *
   * @param data the data directory
   * @throws IOException if a file cannot be read
   */
  public static void walk(Disk disk, Path data, PartitionId id, Consumer<Step> visitor)
      throws IOException {
    Path directory = LogFiles.partition(data, id);
    LogRules rules = LogRules.of(id, 0, 0);
    Window window = new Window();
    TreeMap<Long, Path> segments = segments(disk, data, directory, window, rules);
    int epoch = 0;
    for (Map.Entry<Long, Path> segment : segments.entrySet()) {
      long base = segment.getKey();
      Long next = segments.higherKey(base);
      long limit = next == null ? Long.MAX_VALUE : next;
      try (DiskFile file = disk.open(segment.getValue(), Disk.Mode.READ)) {
        window.open(file, Math.toIntExact(Math.min(file.size(), Integer.MAX_VALUE)));
        SegmentScan scan = new SegmentScan(window, rules, base, limit, epoch, Integer.MAX_VALUE);
        walk(scan, base, limit, window.size(), visitor);
        epoch = scan.lastEpoch();
      }
    }
  }

  /** Files by their first offsets. */
  private static TreeMap<Long, Path> segments(
      Disk disk, Path data, Path directory, Window window, LogRules rules) throws IOException {
    PartitionListing listing = PartitionListing.of(disk, directory);
    TreeMap<Long, Path> segments = new TreeMap<>();
    listing.baseOffsets().forEach(base -> segments.put(base, LogFiles.log(directory, base)));
    Strangers nobody = new Strangers(disk, data, EngineObserver.NONE);
    for (OffsetRange range :
        new Leftovers(disk, directory, window, rules, nobody).believed(listing)) {
      segments.subMap(range.from(), range.to()).clear();
      segments.put(range.from(), LogFiles.swap(directory, range));
    }
    return segments;
  }

  private static void walk(
      SegmentScan scan, long base, long limit, int bytes, Consumer<Step> visitor)
      throws IOException {
    boolean lost = false;
    while (true) {
      switch (scan.next()) {
        case Found.Batch batch ->
            visitor.accept(new Step.Batch(base, batch.position(), batch.bytes(), batch.marker()));
        case Found.Gap gap ->
            visitor.accept(
                new Step.Gap(base, gap.position(), gap.offset(), gap.span(), gap.lost()));
        case Found.BadBatch bad -> {
          long from = bad.marker().baseOffset();
          long to = from + bad.marker().span();
          visitor.accept(
              new Step.Bad(base, bad.position(), bad.toPosition(), from, to, bad.what()));
        }
        case Found.BadRange bad -> {
          lost = bad.to() == Found.BadRange.UNKNOWN;
          long to = lost && limit < Long.MAX_VALUE ? limit : bad.to();
          visitor.accept(
              new Step.Bad(base, bad.position(), bad.toPosition(), bad.from(), to, bad.what()));
        }
        case Found.NewerVersion newer -> {
          visitor.accept(new Step.NewerVersion(base, newer.position(), newer.version()));
          return;
        }
        case Found.End end -> {
          if (!lost && limit < Long.MAX_VALUE && end.nextOffset() < limit) {
            visitor.accept(
                new Step.Bad(
                    base,
                    bytes,
                    bytes,
                    end.nextOffset(),
                    limit,
                    "nothing up to the next segment's offset"));
          }
          return;
        }
      }
    }
  }
}
