package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings what a crash left of a {@link SegmentSwap} in a log's directory to an end, before anything
 * else there is believed. No name is: a compacted segment is read whole before its originals go,
 * and takes their place only if every byte of it is good, of this partition, and reaches from the
 * first offset in its name to the last. Of one that is not, and of the segments that lie in its
 * range, those stay the log that lack fewer offsets, its originals if in doubt, and the others are
 * set aside, never removed.
 *
 * <p>Used once, by one thread. Everything is read before anything is touched.
 *
 * <p><b>Errors.</b> An {@link IOException} is a read error, a newer broker's batch, or something
 * that could not be moved: the partition must not be served then.
 */
final class Leftovers {
  private final Disk disk;
  private final Path directory;
  private final Window window;
  private final LogRules rules;
  private final Strangers strangers;

  /**
   * What came of it.
   *
   * @param swaps whether there were compacted segments: then no checkpoint tells how the log was
   *     left
   * @param durable an offset up to which all was durable once, whatever is missing now; 0 if
   *     nothing is told by what was found
   */
  record Settled(boolean swaps, long durable) {}

  /**
   * What a segment's file holds.
   *
   * @param missing offsets that it should hold and does not
   * @param end behind the last thing that has a known end
   * @param wrong empty if it is whole
   */
  private record Content(long missing, long end, String wrong) {}

  /** A compacted segment that is not the log yet. */
  private record Swap(OffsetRange range, Content content) {}

  Leftovers(Disk disk, Path directory, Window window, LogRules rules, Strangers strangers) {
    this.disk = disk;
    this.directory = directory;
    this.window = window;
    this.rules = rules;
    this.strangers = strangers;
  }

  /**
   * @param listing what there is; out of date afterwards if there were leftovers
   */
  Settled settle(PartitionListing listing) throws IOException {
    List<OffsetRange> ranges =
        listing.leftovers().stream().map(LogFiles::swapRange).flatMap(Optional::stream).toList();
    long durable = 0;
    for (Swap swap : swaps(ranges)) {
      durable = Math.max(durable, settle(swap));
    }
    for (String name : listing.leftovers()) {
      if (LogFiles.swapRange(name).isEmpty()) {
        disk.delete(directory.resolve(name));
      }
    }
    return new Settled(!ranges.isEmpty(), durable);
  }

  private List<Swap> swaps(List<OffsetRange> ranges) throws IOException {
    List<Swap> swaps = new ArrayList<>();
    for (OffsetRange range : ranges) {
      swaps.add(new Swap(range, read(LogFiles.swap(directory, range), range.from(), range.to())));
    }
    return swaps;
  }

  /**
   * Which compacted segments are the log between their offsets, and would be put in their places;
   * touches nothing.
   */
  List<OffsetRange> believed(PartitionListing listing) throws IOException {
    List<OffsetRange> ranges = new ArrayList<>();
    for (String name : listing.leftovers()) {
      Optional<OffsetRange> range = LogFiles.swapRange(name);
      if (range.isPresent() && isBelieved(range.get(), listing)) {
        ranges.add(range.get());
      }
    }
    return ranges;
  }

  private boolean isBelieved(OffsetRange range, PartitionListing listing) throws IOException {
    if (isInside(range.from(), listing) || isInside(range.to(), listing)) {
      return false;
    }
    Content content = read(LogFiles.swap(directory, range), range.from(), range.to());
    return content.wrong.isEmpty() || missing(range, listing) > content.missing;
  }

  private long settle(Swap swap) throws IOException {
    OffsetRange range = swap.range;
    PartitionListing listing = PartitionListing.of(disk, directory);
    if (isInside(range.from(), listing) || isInside(range.to(), listing)) {
      setAside(swap, "begins or ends inside a segment");
      return 0;
    }
    if (swap.content.wrong.isEmpty()) {
      finish(range);
      return 0;
    }
    long lacking = missing(range, listing);
    if (lacking <= swap.content.missing) {
      setAside(swap, "is no whole compacted segment of this partition: " + swap.content.wrong);
    } else {
      List<Long> originals = listing.baseOffsets().stream().filter(range::holds).toList();
      for (long base : originals) {
        move(
            LogFiles.log(directory, base),
            "was compacted, and what it became is damaged (%s)".formatted(swap.content.wrong));
      }
      finish(range);
    }
    // Only what is durable is ever compacted, and only below a segment that goes on from there.
    return lacking > 0 && listing.baseOffsets().contains(range.to()) ? range.to() : 0;
  }

  private void finish(OffsetRange range) throws IOException {
    // A process that was killed may not have come to forcing the name.
    disk.forceDirectory(directory);
    new SegmentSwap(disk, directory, range, disk::forceDirectory)
        .finish(PartitionListing.of(disk, directory).basesIn(range));
  }

  private void setAside(Swap swap, String what) throws IOException {
    move(LogFiles.swap(directory, swap.range), what + "; the segments in its range stay the log");
  }

  private void move(Path file, String what) throws IOException {
    try {
      strangers.move(file, what);
    } catch (DiskFullException e) {
      // Offline, this partition does not keep the others from starting and making room.
      throw new IOException("no room to set %s aside: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Whether a segment holds offsets on both sides of one; read only if none begins there. */
  private boolean isInside(long offset, PartitionListing listing) throws IOException {
    List<Long> bases = listing.baseOffsets();
    if (bases.contains(offset)) {
      return false;
    }
    long before = -1;
    long next = Long.MAX_VALUE;
    for (long base : bases.reversed()) {
      if (base < offset) {
        before = base;
        break;
      }
      next = base;
    }
    return before >= 0 && read(LogFiles.log(directory, before), before, next).end > offset;
  }

  /** Offsets in a range that its segments do not hold. */
  private long missing(OffsetRange range, PartitionListing listing) throws IOException {
    List<Long> bases = listing.baseOffsets().stream().filter(range::holds).toList();
    if (bases.isEmpty()) {
      return range.to() - range.from();
    }
    long missing = bases.getFirst() - range.from();
    for (int i = 0; i < bases.size(); i++) {
      long base = bases.get(i);
      long next = i + 1 < bases.size() ? bases.get(i + 1) : range.to();
      missing += read(LogFiles.log(directory, base), base, next).missing;
    }
    return missing;
  }

  /**
   * @param to where the segment must end; {@code Long.MAX_VALUE} if that is not known
   */
  private Content read(Path path, long from, long to) throws IOException {
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      if (file.size() > Integer.MAX_VALUE) {
        return new Content(to - from, from, "it has %d bytes".formatted(file.size()));
      }
      window.open(file, (int) file.size());
      return read(new SegmentScan(window, rules, from, to, 0, Integer.MAX_VALUE), path, to);
    }
  }

  private static Content read(SegmentScan scan, Path path, long to) throws IOException {
    long missing = 0;
    String wrong = "";
    while (true) {
      switch (scan.next()) {
        case Found.Batch batch -> {}
        case Found.Gap gap -> {}
        case Found.BadBatch bad -> {
          BatchMarker marker = bad.marker();
          missing += marker.span();
          wrong = wrong.isEmpty() ? at(bad.position(), bad.what()) : wrong;
        }
        case Found.BadRange bad -> {
          // If nothing good follows, what is missing is counted at the end.
          missing += bad.to() == Found.BadRange.UNKNOWN ? 0 : bad.to() - bad.from();
          wrong = wrong.isEmpty() ? at(bad.position(), bad.what()) : wrong;
        }
        case Found.NewerVersion newer ->
            throw new IOException(
                "%s holds a batch of version %d at position %d; this broker knows version %d"
                    .formatted(
                        path.getFileName(),
                        newer.version(),
                        newer.position(),
                        BatchMarker.VERSION));
        case Found.End end -> {
          long lacking = to - end.nextOffset();
          if (wrong.isEmpty() && lacking != 0) {
            wrong = "it ends at offset " + end.nextOffset();
          }
          return new Content(missing + lacking, end.nextOffset(), wrong);
        }
      }
    }
  }

  private static String at(int position, String what) {
    return "at position %d, %s".formatted(position, what);
  }
}
