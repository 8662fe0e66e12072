package io.minikafka.log;

import java.io.IOException;

/** A stretch of a log in one file. */
sealed interface Segment permits ActiveSegment, SealedSegment {
  long baseOffset();

  SegmentFile file();

  /** Says which parts were touched lately. */
  HotBlocks hotBlocks();

  /** Both indexes; may have to load or rebuild them, and then blocks. */
  SegmentIndexes indexes() throws IOException;
}
