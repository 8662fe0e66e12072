package io.minikafka.client;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A first look at fetched entries by their lengths only, so that the next fetch can be sent before
 * this one is decoded.
 *
 * @param endOffset behind the last entry; where the next fetch begins
 * @param lastEpoch log epoch of the last batch
 * @param batchEnd where the last batch ends; up to there holes may follow, because the batch was
 *     compacted, or may be until the next fetch
 * @param problem why the first entry is not what was asked for
 */
record AnswerOutline(long endOffset, int lastEpoch, long batchEnd, Optional<String> problem) {

  /**
   * @param offset what was asked for
   * @param lastEpoch of the batch before
   * @param batchEnd of the batch before; {@code Long.MAX_VALUE} if it is not known
   */
  static AnswerOutline of(ByteBuffer entries, long offset, int lastEpoch, long batchEnd) {
    int at = entries.position();
    int limit = entries.limit();
    int epoch = lastEpoch;
    boolean maySkip = offset < batchEnd;
    long end = batchEnd;
    long endOffset = -1;
    Optional<String> problem = Optional.empty();
    while (Entry.problem(entries, at, limit) == Problem.NONE) {
      if (BatchMarker.isMarker(entries, at)) {
        maySkip |= (Entry.flags(Entry.kword(entries, at)) & BatchMarker.FLAG_COMPACTED) != 0;
        epoch = entries.getInt(at + BatchMarker.LOG_EPOCH);
        end = entries.getLong(at + BatchMarker.BASE_OFFSET) + entries.getInt(at + BatchMarker.SPAN);
      } else {
        long from = Entry.offset(entries, at);
        long to = from + Entry.span(entries, at);
        if (endOffset < 0) {
          problem = startProblem(offset, from, to, maySkip);
        }
        endOffset = to;
      }
      at += Entry.bytes(entries, at);
    }
    if (endOffset < 0) {
      problem = Optional.of("%d bytes without a whole record".formatted(entries.remaining()));
    }
    return new AnswerOutline(Math.max(endOffset, offset), epoch, end, problem);
  }

  private static Optional<String> startProblem(long offset, long from, long to, boolean maySkip) {
    if (to <= offset) {
      return Optional.of(
          "an overlap: offset %d was asked for, the answer begins with %d".formatted(offset, from));
    }
    if (from > offset && !maySkip) {
      return Optional.of(
          "a hole: offset %d was asked for, the answer begins with %d".formatted(offset, from));
    }
    return Optional.empty();
  }
}
