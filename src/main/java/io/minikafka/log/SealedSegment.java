package io.minikafka.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A segment that grows no more. Descriptor and indexes are there on demand and may be dropped when
 * others are used more; not, however, before they were saved and the bytes were forced.
 *
 * <p>Any thread. {@link #indexes} may block.
 */
final class SealedSegment implements Segment {
  /** See {@link #lastAppendTime}: the segment is damaged. */
  static final long TIME_NOT_KNOWN = Long.MAX_VALUE;

  /** See {@link #lastAppendTime}: compaction has left no batch in it. */
  static final long NO_BATCH = Long.MIN_VALUE;

  private static final long NOT_ASKED = Long.MIN_VALUE + 1;

  private final long baseOffset;
  private final long nextOffset;
  private final int bytes;
  private final SegmentFile file;
  private final HotBlocks hotBlocks;
  private final IndexFiles indexFiles;

  /** In memory or not; published by being written. */
  private volatile @Nullable SegmentIndexes indexes;

  /** Kept beyond the indexes; retention asks again and again. */
  private volatile long lastAppendTime = NOT_ASKED;

  /** Bytes and length were forced since it was sealed. */
  private volatile boolean forced;

  /** The index files were written since it was sealed, or writing them was given up. */
  private volatile boolean saved;

  /** Written only under this: no index file may be written any more. */
  private volatile boolean deleted;

  private SealedSegment(
      long baseOffset,
      long nextOffset,
      int bytes,
      SegmentFile file,
      HotBlocks hotBlocks,
      IndexFiles indexFiles,
      @Nullable SegmentIndexes indexes,
      boolean asFound) {
    this.baseOffset = baseOffset;
    this.nextOffset = nextOffset;
    this.bytes = bytes;
    this.file = file;
    this.hotBlocks = hotBlocks;
    this.indexFiles = indexFiles;
    this.indexes = indexes;
    this.forced = asFound;
    this.saved = asFound;
  }

  static SealedSegment justSealed(
      ActiveSegment active, long nextOffset, int bytes, IndexFiles indexFiles) {
    return new SealedSegment(
        active.baseOffset(),
        nextOffset,
        bytes,
        active.file(),
        active.hotBlocks(),
        indexFiles,
        active.indexes(),
        false);
  }

  /** One that recovery found, and forced. */
  static SealedSegment found(
      RecoveredLog.Sealed found, SegmentFile file, HotBlocks hotBlocks, IndexFiles indexFiles) {
    return new SealedSegment(
        found.baseOffset(),
        found.nextOffset(),
        found.bytes(),
        file,
        hotBlocks,
        indexFiles,
        null,
        true);
  }

  /**
   * One that compaction wrote and forced. It may be dropped only after {@link #saveIndexes}, which
   * is to come when it has its name.
   *
   * @param file open
   */
  static SealedSegment compacted(
      OffsetRange range,
      int bytes,
      SegmentFile file,
      HotBlocks hotBlocks,
      IndexFiles indexFiles,
      SegmentIndexes indexes) {
    SealedSegment fresh =
        new SealedSegment(
            range.from(), range.to(), bytes, file, hotBlocks, indexFiles, indexes, false);
    fresh.forced = true;
    return fresh;
  }

  @Override
  public long baseOffset() {
    return baseOffset;
  }

  /** Base offset of the segment behind it. */
  long nextOffset() {
    return nextOffset;
  }

  int bytes() {
    return bytes;
  }

  @Override
  public SegmentFile file() {
    return file;
  }

  @Override
  public HotBlocks hotBlocks() {
    return hotBlocks;
  }

  @Override
  public SegmentIndexes indexes() throws IOException {
    SegmentIndexes present = indexes;
    if (present == null) {
      synchronized (this) {
        present = indexes;
        if (present == null) {
          // Fails if the segment was given up: the files of that name are not its own any more.
          present = indexFiles.load(this);
          indexes = present;
        }
      }
    }
    return present;
  }

  /**
   * When its last batch was appended, ms; {@link #TIME_NOT_KNOWN} if it is damaged, so that nothing
   * is given up on a guess; {@link #NO_BATCH}. May block.
   */
  long lastAppendTime() throws IOException {
    long known = lastAppendTime;
    if (known == NOT_ASKED) {
      known = indexes().lastAppendTime();
      if (known == NO_BATCH && indexFiles.isDamaged(this)) {
        known = TIME_NOT_KNOWN;
      }
      lastAppendTime = known;
    }
    return known;
  }

  /** Where an offset lies, give or take an interval; −1 if that needs the disk. */
  int approximatePosition(long offset) {
    SegmentIndexes present = indexes;
    if (present == null || !file.isOpen()) {
      return -1;
    }
    OffsetIndex offsets = present.offsets();
    return offsets.positionOrZero(offsets.floorByOffset(offset));
  }

  /** Throws away what is believed to be in it and walks the log instead; blocks. */
  synchronized void rebuildIndexes() throws IOException {
    indexes = indexFiles.rebuild(this);
  }

  /** Writes the index files after sealing; a failure costs only a rebuild later. Blocks. */
  synchronized void saveIndexes() {
    SegmentIndexes present = indexes;
    if (present != null && !deleted) {
      indexFiles.save(this, present);
    }
    saved = true;
  }

  boolean isForced() {
    return forced;
  }

  void forced() {
    forced = true;
  }

  /** Whether descriptor and indexes can be had again if they are dropped. */
  boolean mayBeDropped() {
    return forced && saved && !deleted;
  }

  int memoryBytes() {
    SegmentIndexes present = indexes;
    return present == null ? 0 : present.memoryBytes();
  }

  /** Lets go of descriptor and indexes until they are needed again. */
  void drop() {
    if (mayBeDropped()) {
      indexes = null;
      file.letGo();
    }
  }

  /**
   * Another takes its place and its name: it gets no new reader, and touches no file any more. Who
   * still reads keeps the bytes. Waits for a walk that is under way.
   */
  synchronized void giveUp() {
    deleted = true;
    file.retire();
  }

  /** Removes the files. Who still reads keeps the bytes; blocks. */
  synchronized void delete() throws IOException {
    deleted = true;
    file.retire();
    indexFiles.deleteSegment(this);
  }
}
