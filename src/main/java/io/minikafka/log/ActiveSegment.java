package io.minikafka.log;

import io.minikafka.partition.StampedBatch;
import io.minikafka.storage.DiskFile;

/**
 * The segment that grows. Its file and its indexes stay open and in memory.
 *
 * <p><b>Life-cycle.</b> Made by a roll or by recovery; ended by {@link #seal}, after which it must
 * not be written to. How far it reaches is not kept here but in the log's published state, so that
 * nobody sees bytes that may still be taken back.
 *
 * <p>Written by the log's one appender; read by anybody.
 */
final class ActiveSegment implements Segment {
  private final long baseOffset;
  private final SegmentFile file;
  private final DiskFile out;
  private final HotBlocks hotBlocks;

  /** Written by the appender, or instead of it. */
  private volatile SegmentIndexes indexes;

  /**
   * @param out what {@code file} holds open
   */
  ActiveSegment(
      long baseOffset,
      SegmentFile file,
      DiskFile out,
      SegmentIndexes indexes,
      HotBlocks hotBlocks) {
    this.baseOffset = baseOffset;
    this.file = file;
    this.out = out;
    this.indexes = indexes;
    this.hotBlocks = hotBlocks;
  }

  @Override
  public long baseOffset() {
    return baseOffset;
  }

  @Override
  public SegmentFile file() {
    return file;
  }

  @Override
  public SegmentIndexes indexes() {
    return indexes;
  }

  @Override
  public HotBlocks hotBlocks() {
    return hotBlocks;
  }

  /** Puts rebuilt indexes in the place of those that were loaded and turned out to be wrong. */
  void replaceIndexes(SegmentIndexes rebuilt) {
    indexes = rebuilt;
  }

  /** For the appender and the forcer. */
  DiskFile out() {
    return out;
  }

  /** A batch was written for good at {@code position}. */
  void accept(StampedBatch batch, int position) {
    indexes.addBatch(batch.buffer(), batch.markerAt(), batch.bytes(), position);
    hotBlocks.touch(position, batch.bytes());
  }

  /** When its first batch was appended, ms; {@code Long.MIN_VALUE} while it has none. */
  long firstAppendTime() {
    return indexes.firstAppendTime();
  }

  /**
   * @param nextOffset base offset of the segment behind it
   * @param bytes how far it reaches
   */
  SealedSegment seal(long nextOffset, int bytes, IndexFiles indexFiles) {
    indexes.finishTimes();
    return SealedSegment.justSealed(this, nextOffset, bytes, indexFiles);
  }
}
