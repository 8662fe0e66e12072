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
 * @param insideCompacted whether the last batch was compacted: a hole may follow
 * @param problem why the first entry is not what was asked for
 */
record AnswerOutline(
    long endOffset, int lastEpoch, boolean insideCompacted, Optional<String> problem) {

  /**
   * @param offset what was asked for
   * @param lastEpoch of the batch before
   * @param maySkip whether a hole may lie between {@code offset} and the first entry
   */
  static AnswerOutline of(ByteBuffer entries, long offset, int lastEpoch, boolean maySkip) {
    int at = entries.position();
    int limit = entries.limit();
    int epoch = lastEpoch;
    boolean compacted = maySkip;
    long endOffset = -1;
    Optional<String> problem = Optional.empty();
    while (Entry.problem(entries, at, limit) == Problem.NONE) {
      if (BatchMarker.isMarker(entries, at)) {
        compacted = (Entry.flags(Entry.kword(entries, at)) & BatchMarker.FLAG_COMPACTED) != 0;
        epoch = entries.getInt(at + BatchMarker.LOG_EPOCH);
      } else {
        long from = Entry.offset(entries, at);
        long to = from + Entry.span(entries, at);
        if (endOffset < 0) {
          problem = startProblem(offset, from, to, maySkip || compacted);
        }
        endOffset = to;
      }
      at += Entry.bytes(entries, at);
    }
    if (endOffset < 0) {
      problem = Optional.of("%d bytes without a whole record".formatted(entries.remaining()));
    }
    return new AnswerOutline(Math.max(endOffset, offset), epoch, compacted, problem);
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
