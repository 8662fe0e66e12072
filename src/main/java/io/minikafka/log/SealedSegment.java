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
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final long baseOffset;
  private final long nextOffset;
  private final int bytes;
  private final SegmentFile file;
  private final HotBlocks hotBlocks;
  private final IndexFiles indexFiles;

  /** In memory or not; published by being written. */
  private volatile @Nullable SegmentIndexes indexes;

  /** Kept beyond the indexes; retention asks again and again. */
  private volatile long lastAppendTime = UNKNOWN;

  /** Bytes and length were forced since it was sealed. */
  private volatile boolean forced;

  /** The index files were written since it was sealed, or writing them was given up. */
  private volatile boolean saved;

  /** Guarded by this: no index file may be written any more. */
  private boolean deleted;

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
          present = indexFiles.load(this);
          indexes = present;
        }
      }
    }
    return present;
  }

  /**
   * When its last batch was appended, ms; {@code Long.MAX_VALUE} if that cannot be known, so that
   * nothing is given up on a guess. May block.
   */
  long lastAppendTime() throws IOException {
    long known = lastAppendTime;
    if (known == UNKNOWN) {
      known = indexes().lastAppendTime();
      known = known == Long.MIN_VALUE ? Long.MAX_VALUE : known;
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
    return forced && saved;
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

  /** Removes the files. Who still reads keeps the bytes; blocks. */
  synchronized void delete() throws IOException {
    deleted = true;
    file.retire();
    indexFiles.deleteSegment(this);
  }
}
