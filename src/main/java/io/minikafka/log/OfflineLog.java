package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the log of a partition from its files as recovery would, byte by byte, without a broker and
 * without changing anything; for tools. What it says of the newest segment means nothing while a
 * broker writes there.
 *
 * <p>Stateless; any thread.
 */
public final class OfflineLog {
  private OfflineLog() {}

  /** What stands in a log, in offset order. */
  public sealed interface Step {
    /** A whole batch. */
    record Batch(long segmentBase, int position, int bytes, BatchMarker marker) implements Step {}

    /** Offsets that compaction emptied. */
    record Gap(long segmentBase, int position, long offset, int span) implements Step {}

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
    List<Long> bases = PartitionListing.of(disk, directory).baseOffsets();
    LogRules rules = LogRules.of(id, 0, 0);
    Window window = new Window();
    int epoch = 0;
    for (int i = 0; i < bases.size(); i++) {
      long base = bases.get(i);
      long limit = i + 1 < bases.size() ? bases.get(i + 1) : Long.MAX_VALUE;
      try (DiskFile file = disk.open(LogFiles.log(directory, base), Disk.Mode.READ)) {
        window.open(file, Math.toIntExact(Math.min(file.size(), Integer.MAX_VALUE)));
        SegmentScan scan = new SegmentScan(window, rules, base, limit, epoch, Integer.MAX_VALUE);
        walk(scan, base, limit, window.size(), visitor);
        epoch = scan.lastEpoch();
      }
    }
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
            visitor.accept(new Step.Gap(base, gap.position(), gap.offset(), gap.span()));
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
