package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Puts a compacted segment into the place of those it was made of, so that a crash at any point
 * leaves either them or it:
 *
 * <ol>
 *   <li>{@code <base>.cleaned} is written and forced. If a start finds one it was not finished, or
 *       was given up: it goes.
 *   <li>It is renamed to {@code <base>-<next>.swap}, and the directory forced. From here on it is
 *       the log between these two offsets: a start that finds one, and finds it whole, goes on with
 *       the next step (see {@link Leftovers}).
 *   <li>Indexes of the segments in that range are removed, and all these segments but the first;
 *       the directory is forced, so that none of them can come back beside the new name.
 *   <li>It is renamed to {@code <base>.log}, over the first of them, and the directory forced.
 * </ol>
 *
 * <p>One at a time in a directory, by the holder of the log's {@link OpenLog#segmentsLock} or
 * before the log is open.
 */
final class SegmentSwap {
  private final Disk disk;
  private final Path directory;
  private final OffsetRange range;
  private final Forcing forcing;

  /** Forces a directory; a failure is final for the data directory, and told so. */
  interface Forcing {
    void force(Path directory) throws IOException;
  }

  SegmentSwap(Disk disk, Path directory, OffsetRange range, Forcing forcing) {
    this.disk = disk;
    this.directory = directory;
    this.range = range;
    this.forcing = forcing;
  }

  /** Where the compacted segment is written; whatever was left there by another attempt goes. */
  DiskFile create() throws IOException {
    Path cleaned = LogFiles.cleaned(directory, range.from());
    disk.delete(cleaned);
    return disk.open(cleaned, Disk.Mode.CREATE);
  }

  /** Before {@link #commit}: nothing has happened. */
  void giveUp() throws IOException {
    disk.delete(LogFiles.cleaned(directory, range.from()));
  }

  /**
   * The second step, after the file was forced. If it fails the log is as it was, unless {@link
   * #takeBack} fails too.
   */
  void commit() throws IOException {
    disk.rename(LogFiles.cleaned(directory, range.from()), LogFiles.swap(directory, range));
    forcing.force(directory);
  }

  /** After a {@link #commit} that may have gone half way. */
  void takeBack() throws IOException {
    disk.delete(LogFiles.cleaned(directory, range.from()));
    disk.delete(LogFiles.swap(directory, range));
    forcing.force(directory);
  }

  /**
   * The third step and the last; when it fails only another start can end it.
   *
   * @param originals base offsets of all segments in the range
   */
  void finish(Collection<Long> originals) throws IOException {
    for (long base : originals) {
      disk.delete(LogFiles.offsetIndex(directory, base));
      disk.delete(LogFiles.timeIndex(directory, base));
      if (base != range.from()) {
        disk.delete(LogFiles.log(directory, base));
      }
    }
    forcing.force(directory);
    disk.rename(LogFiles.swap(directory, range), LogFiles.log(directory, range.from()));
    forcing.force(directory);
  }

  /** Whether a file of that name is what a crash left of a swap. */
  static boolean isLeftover(String name) {
    return LogFiles.swapRange(name).isPresent()
        || LogFiles.baseOffset(name, LogFiles.CLEANED).isPresent();
  }
}
