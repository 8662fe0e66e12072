package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is a hole in an answer, and what compaction may have done. */
class AnswerOutlineTest {
  private static final long NOT_KNOWN = Long.MAX_VALUE;

  private final ByteBuffer bytes = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);

  private AnswerOutlineTest record(long offset) {
    int at = bytes.position();
    bytes.putLong(at, offset).putInt(at + Entry.LENGTH, 12).putInt(at + Entry.KWORD, 0);
    bytes.position(at + Entry.PLAIN_OVERHEAD_BYTES);
    return this;
  }

  private AnswerOutlineTest gap(long offset, int span) {
    int at = bytes.position();
    bytes.putLong(at, offset).putInt(at + Entry.LENGTH, 16);
    bytes.putInt(at + Entry.KWORD, Entry.kwordOf(Entry.KIND_GAP, 0)).putInt(at + Entry.BODY, span);
    bytes.position(at + 32);
    return this;
  }

  private AnswerOutlineTest marker(long base, int span, int flags) {
    new BatchMarker(base, 0, flags, (short) -1, -1, -1, 0, span, 0, 7, base, 0, 0, 0)
        .write(bytes, bytes.position());
    bytes.position(bytes.position() + BatchMarker.BYTES);
    return this;
  }

  private AnswerOutline asked(long offset, long batchEnd) {
    return AnswerOutline.of(bytes.flip(), offset, 0, batchEnd);
  }

  @Test
  void aHoleAtABatchBoundaryIsTold() {
    assertTrue(marker(12, 2, 0).record(12).record(13).asked(10, 10).problem().isPresent());
  }

  /** The rest of a batch that was read in part may have been compacted since. */
  @Test
  void aHoleInsideABatchIsNone() {
    AnswerOutline outline = record(13).marker(15, 1, 0).record(15).asked(11, 15);
    assertEquals(Optional.empty(), outline.problem());
    assertEquals(16, outline.endOffset());
    assertEquals(16, outline.batchEnd());
    assertEquals(7, outline.lastEpoch());
  }

  @Test
  void aGapThatBeganBeforeIsNoOverlapAndNoHole() {
    AnswerOutline outline = gap(5, 10).asked(11, 11);
    assertEquals(Optional.empty(), outline.problem());
    assertEquals(15, outline.endOffset());
  }

  @Test
  void theFirstRecordsOfACompactedBatchMayBeMissing() {
    AnswerOutline outline = marker(10, 5, BatchMarker.FLAG_COMPACTED).record(13).asked(10, 10);
    assertEquals(Optional.empty(), outline.problem());
    assertEquals(14, outline.endOffset());
    assertEquals(15, outline.batchEnd(), "and its last ones");
  }

  @Test
  void whatWasReadAlreadyIsAnOverlap() {
    assertTrue(record(9).asked(11, NOT_KNOWN).problem().isPresent());
  }
}
