package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The index files of one log's segments. They are caches: never forced, checked when loaded, and
 * made anew from the log on any doubt.
 *
 * <p>Any thread, for different segments at once; blocks.
 */
final class IndexFiles {
  private final Disk disk;
  private final Path directory;
  private final IntSupplier intervalBytes;
  private final Supplier<LogRules> rules;
  private final Supplier<DamageRanges> damage;
  private final BiConsumer<Segment, List<DamageRange>> onDamage;

  /**
   * @param intervalBytes the index interval of the moment
   * @param rules of the log, as they are at the moment
   * @param damage what is known of the moment
   * @param onDamage told what a rebuild finds
   */
  IndexFiles(
      Disk disk,
      Path directory,
      IntSupplier intervalBytes,
      Supplier<LogRules> rules,
      Supplier<DamageRanges> damage,
      BiConsumer<Segment, List<DamageRange>> onDamage) {
    this.disk = disk;
    this.directory = directory;
    this.intervalBytes = intervalBytes;
    this.rules = rules;
    this.damage = damage;
    this.onDamage = onDamage;
  }

  /** From the files if they are beyond doubt, else rebuilt, and then saved. */
  SegmentIndexes load(SealedSegment segment) throws IOException {
    if (!isDamaged(segment)) {
      Extent extent = new Extent(segment.baseOffset(), segment.nextOffset(), segment.bytes());
      DiskFile log = segment.file().lease();
      try {
        SegmentIndexes loaded = read(disk, directory, extent, log, intervalBytes.getAsInt());
        if (loaded != null) {
          return loaded;
        }
      } finally {
        segment.file().unlease();
      }
    }
    return rebuild(segment);
  }

  boolean isDamaged(SealedSegment segment) {
    return !damage.get().in(segment.baseOffset()).isEmpty();
  }

  /** From the log; saved if the whole of it could be walked. */
  SegmentIndexes rebuild(SealedSegment segment) throws IOException {
    IndexRebuild.Result result = walk(segment, segment.nextOffset(), segment.bytes());
    if (result.found().isEmpty()) {
      save(segment, result.indexes());
    }
    return result.indexes();
  }

  /**
   * Walks a segment and reports damage that was not known.
   *
   * @param nextOffset how far to walk
   * @param bytes how far to walk
   */
  IndexRebuild.Result walk(Segment segment, long nextOffset, int bytes) throws IOException {
    DiskFile log = segment.file().lease();
    IndexRebuild.Result result;
    try {
      result =
          new IndexRebuild(
                  log,
                  rules.get(),
                  segment.baseOffset(),
                  nextOffset,
                  bytes,
                  intervalBytes.getAsInt(),
                  damage.get().in(segment.baseOffset()))
              .run();
    } finally {
      segment.file().unlease();
    }
    if (!result.found().isEmpty()) {
      onDamage.accept(segment, result.found());
    }
    return result;
  }

  /** Best effort: a file that is missing or broken is rebuilt. */
  void save(Segment segment, SegmentIndexes indexes) {
    try {
      write(LogFiles.offsetIndex(directory, segment.baseOffset()), indexes.offsets().encode());
      write(LogFiles.timeIndex(directory, segment.baseOffset()), indexes.times().encode());
    } catch (IOException e) {
      System.getLogger(IndexFiles.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the index of {0} was not saved and will be rebuilt: {1}",
              segment.file().path(),
              e.getMessage());
    }
  }

  /** Removes log and index files. */
  void deleteSegment(SealedSegment segment) throws IOException {
    disk.delete(LogFiles.log(directory, segment.baseOffset()));
    disk.delete(LogFiles.offsetIndex(directory, segment.baseOffset()));
    disk.delete(LogFiles.timeIndex(directory, segment.baseOffset()));
  }

  private void write(Path file, ByteBuffer content) throws IOException {
    disk.delete(file);
    try (DiskFile out = disk.open(file, Disk.Mode.CREATE)) {
      out.write(content, 0);
    }
  }

  /** How far a segment reaches. */
  record Extent(long baseOffset, long nextOffset, int bytes) {}

  /**
   * What the index files of a segment hold, or null if there is any doubt: one is missing or cannot
   * be read, its numbers do not rise or do not fit the segment, its last entries do not lead to the
   * segment's end as they must.
   *
   * @param log the segment's file
   */
  static @Nullable SegmentIndexes read(
      Disk disk, Path directory, Extent extent, DiskFile log, int intervalBytes)
      throws IOException {
    long base = extent.baseOffset();
    Optional<OffsetIndex> offsets =
        content(disk, LogFiles.offsetIndex(directory, base))
            .flatMap(file -> OffsetIndex.decode(file, base, extent.nextOffset(), extent.bytes()));
    if (offsets.isEmpty()) {
      return null;
    }
    Optional<TimeIndex> times =
        content(disk, LogFiles.timeIndex(directory, base))
            .flatMap(file -> TimeIndex.decode(file, base, extent.nextOffset()));
    if (times.isEmpty()) {
      return null;
    }
    try {
      boolean trusted =
          endsRight(offsets.get(), extent, log, intervalBytes)
              && endsRight(times.get(), offsets.get(), extent, log);
      return trusted ? new SegmentIndexes(offsets.get(), times.get(), intervalBytes) : null;
    } catch (BadEntryException e) {
      return null;
    }
  }

  /**
   * Empty if it is missing or cannot be read: it is only a cache.
   *
   * @throws IOException if that says nothing about the file
   */
  private static Optional<ByteBuffer> content(Disk disk, Path file) throws IOException {
    try {
      return AtomicFile.read(disk, file);
    } catch (OpenFileLimitException | ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      System.getLogger(IndexFiles.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the index {0} cannot be read and is made again from the log: {1}",
              file,
              e);
      return Optional.empty();
    }
  }

  /** The last pair points at its entry, and from there no other pair is due before the end. */
  private static boolean endsRight(
      OffsetIndex offsets, Extent extent, DiskFile log, int intervalBytes) throws IOException {
    int last = offsets.count() - 1;
    int from = offsets.positionOrZero(last);
    long expected = last < 0 ? extent.baseOffset() : offsets.offset(last);
    EntryCursor cursor = new EntryCursor(log, extent.bytes(), EntryCursor.CHUNK_BYTES);
    cursor.seek(from, EntryCursor.CHUNK_BYTES);
    boolean first = true;
    while (cursor.read()) {
      if (first ? cursor.offset() != expected : cursor.offset() < expected) {
        return false;
      }
      // A marker may take the place of its first record, and an entry then be due that much later.
      if (cursor.position() - from >= intervalBytes + BatchMarker.BYTES) {
        return false;
      }
      expected = cursor.nextOffset();
      first = false;
      cursor.advance();
    }
    return expected == extent.nextOffset();
  }

  /** The last entry names the segment's last batch. */
  private static boolean endsRight(
      TimeIndex times, OffsetIndex offsets, Extent extent, DiskFile log) throws IOException {
    int last = times.count() - 1;
    EntryCursor cursor = new EntryCursor(log, extent.bytes(), EntryCursor.CHUNK_BYTES);
    if (last < 0) {
      return onlyGapsUpTo(extent.nextOffset(), extent.baseOffset(), cursor);
    }
    int floor = offsets.floorByOffset(times.offset(last));
    cursor.seek(offsets.positionOrZero(floor), EntryCursor.CHUNK_BYTES);
    while (cursor.read()) {
      if (cursor.isMarker() && cursor.offset() == times.offset(last)) {
        if (cursor.checkMarker() != BatchMarker.Check.GOOD) {
          return false;
        }
        BatchMarker marker = cursor.marker();
        long end = (long) cursor.endPosition() + marker.bytes();
        if (marker.appendTime() != times.appendTime(last)
            || marker.maxTimestamp() > times.maxTimestamp(last)
            || marker.bytes() < 0
            || end > extent.bytes()) {
          return false;
        }
        cursor.seek((int) end, EntryCursor.CHUNK_BYTES);
        return onlyGapsUpTo(extent.nextOffset(), marker.baseOffset() + marker.span(), cursor);
      }
      if (cursor.offset() > times.offset(last)) {
        return false;
      }
      cursor.advance();
    }
    return false;
  }

  /** Whether nothing but what compaction emptied lies between the cursor and the segment's end. */
  private static boolean onlyGapsUpTo(long nextOffset, long from, EntryCursor cursor)
      throws IOException {
    long expected = from;
    while (cursor.read()) {
      if (!cursor.isGap() || cursor.offset() != expected) {
        return false;
      }
      expected = cursor.nextOffset();
      cursor.advance();
    }
    return expected == nextOffset;
  }
}
