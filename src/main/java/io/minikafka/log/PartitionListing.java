package io.minikafka.log;

import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What lies in a partition's directory, by name only.
 *
 * @param exists whether there is such a directory
 * @param baseOffsets of the segments, rising
 * @param indexFiles files of either index kind, also those without a segment
 * @param inTheWay what has the name of a segment's file and is no regular file: a directory, a
 *     pipe, a link to nowhere
 * @param leftovers of compactions that a crash interrupted, see {@link Leftovers}
 * @param strange names that nothing here makes
 */
record PartitionListing(
    Path directory,
    boolean exists,
    List<Long> baseOffsets,
    List<IndexFile> indexFiles,
    List<Path> inTheWay,
    List<String> leftovers,
    List<String> strange) {

  /** An index file and the base offset in its name. */
  record IndexFile(Path file, long baseOffset) {}

  static PartitionListing of(Disk disk, Path directory) throws IOException {
    List<String> names;
    try {
      names = disk.list(directory);
    } catch (NoSuchFileException e) {
      return new PartitionListing(
          directory, false, List.of(), List.of(), List.of(), List.of(), List.of());
    }
    TreeSet<Long> bases = new TreeSet<>();
    List<IndexFile> indexFiles = new ArrayList<>();
    List<Path> inTheWay = new ArrayList<>();
    List<String> leftovers = new ArrayList<>();
    List<String> strange = new ArrayList<>();
    for (String name : names) {
      OptionalLong segment = LogFiles.baseOffset(name, LogFiles.LOG);
      OptionalLong index = indexBase(name);
      boolean isLeftover = SegmentSwap.isLeftover(name);
      boolean named =
          segment.isPresent() || index.isPresent() || isLeftover || name.equals(LogFiles.SPARE);
      if (named && !disk.isRegularFile(directory.resolve(name))) {
        inTheWay.add(directory.resolve(name));
      } else if (segment.isPresent()) {
        bases.add(segment.getAsLong());
      } else if (index.isPresent()) {
        indexFiles.add(new IndexFile(directory.resolve(name), index.getAsLong()));
      } else if (isLeftover) {
        leftovers.add(name);
      } else if (!LogFiles.belongsInPartition(name)) {
        strange.add(name);
      }
    }
    return new PartitionListing(
        directory, true, List.copyOf(bases), indexFiles, inTheWay, leftovers, strange);
  }

  /** Index files whose segment is not there. */
  List<IndexFile> orphans() {
    Set<Long> segments = new HashSet<>(baseOffsets);
    return indexFiles.stream().filter(index -> !segments.contains(index.baseOffset)).toList();
  }

  /** Base offsets of all files in a range, also of indexes without a segment. */
  Set<Long> basesIn(OffsetRange range) {
    Set<Long> bases = new TreeSet<>(baseOffsets);
    indexFiles.forEach(index -> bases.add(index.baseOffset));
    bases.removeIf(base -> !range.holds(base));
    return bases;
  }

  private static OptionalLong indexBase(String name) {
    OptionalLong offsets = LogFiles.baseOffset(name, LogFiles.OFFSET_INDEX);
    return offsets.isPresent() ? offsets : LogFiles.baseOffset(name, LogFiles.TIME_INDEX);
  }
}
