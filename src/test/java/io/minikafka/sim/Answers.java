package io.minikafka.sim;

import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** Checks the bytes a read gave against the seam's words and against the model. */
final class Answers {
  private final ModelLog model;
  private int epoch;
  private long appendTime = Long.MIN_VALUE;

  /** What is wrong with a marker; told after its first record, which may be worse. */
  private String oddMarker = "";

  /** One series of reads that go up in the log; numbers that may not fall are watched over it. */
  Answers(ModelLog model) {
    this.model = model;
  }

  /**
   * @param limit no record at or above it may be there
   * @return the offset to read next
   */
  long check(
      long offset, int maxBytes, boolean atLeastOne, long limit, Snapshot now, Entries answer)
      throws IOException {
    ByteBuffer in = Blobs.take(answer.blob());
    int size = in.limit();
    String asked = "%s: read(%d, %d, %s)".formatted(model.id, offset, maxBytes, atLeastOne);
    if (size == 0) {
      checkEmpty(asked, offset, maxBytes, atLeastOne, limit, answer);
      return offset;
    }
    long next = offset;
    int records = 0;
    int lastKind = Entry.PLAIN;
    Optional<BatchMarker> marker = Optional.empty();
    boolean maySkip = model.isCompacted();
    for (int at = 0; at < size; at += Entry.bytes(in, at)) {
      Entry.Problem problem = Entry.problem(in, at, size);
      if (problem != Entry.Problem.NONE || !Entry.checksumHolds(in, at)) {
        throw new Violation("%s: broken at byte %d of %d: %s", asked, at, size, problem.text());
      }
      boolean first = at == 0 && maySkip;
      boolean follows = maySkip ? Entry.offset(in, at) >= next : Entry.offset(in, at) == next;
      // A gap, or the marker of a batch whose first records are gone, may begin before.
      if (!follows && !(first && begins(in, at, next))) {
        throw new Violation(
            "%s: at byte %d stands offset %d, %d was due", asked, at, Entry.offset(in, at), next);
      }
      lastKind = Entry.kind(Entry.kword(in, at));
      if (lastKind == Entry.KIND_MARKER) {
        BatchMarker read = checkMarker(asked, in, at, Entry.offset(in, at), now);
        marker = Optional.of(read);
        maySkip = (read.flags() & BatchMarker.FLAG_COMPACTED) != 0;
      } else if (lastKind == Entry.KIND_GAP && model.isCompacted()) {
        records++;
      } else {
        model.observe(new RecordView(in, at), marker);
        records++;
        if (!oddMarker.isEmpty()) {
          throw new Violation("%s", oddMarker);
        }
      }
      next = Math.max(next, Entry.offset(in, at) + Entry.span(in, at));
    }
    if (lastKind == Entry.KIND_MARKER) {
      throw new Violation("%s: ends with a marker", asked);
    }
    boolean ends = model.isCompacted() ? next <= answer.nextOffset() : next == answer.nextOffset();
    if (!ends || answer.nextOffset() > limit) {
      throw new Violation(
          "%s: ends before %d and says %d; the limit was %d",
          asked, next, answer.nextOffset(), limit);
    }
    if (size > maxBytes && !(atLeastOne && records == 1)) {
      throw new Violation("%s: %d bytes, %d records", asked, size, records);
    }
    boolean marked = Entry.kind(Entry.kword(in, 0)) == Entry.KIND_MARKER;
    if (model.placed.isBaseOffset(offset) != marked && !model.isCompacted()) {
      throw new Violation("%s: %s marker in front", asked, marked ? "a" : "no");
    }
    // Readers go by either.
    return size % 2 == 0 ? next : answer.nextOffset();
  }

  private static boolean begins(ByteBuffer in, int at, long next) {
    boolean isMarker = BatchMarker.isMarker(in, at);
    return isMarker
        ? Entry.offset(in, at) + in.getInt(at + BatchMarker.SPAN) > next
        : Entry.offset(in, at) + Entry.span(in, at) > next;
  }

  private void checkEmpty(
      String asked, long offset, int maxBytes, boolean atLeastOne, long limit, Entries answer) {
    if (answer.nextOffset() != offset) {
      throw new Violation("%s: nothing, but goes on at %d", asked, answer.nextOffset());
    }
    OptionalInt first = model.placed.bytesAt(offset);
    boolean known = first.isPresent() && !model.isCompacted();
    boolean fits = atLeastOne || (known && first.getAsInt() <= maxBytes);
    if (offset < limit && fits) {
      throw new Violation(
          "%s: nothing, though %d is visible and its entry of %s bytes fits", asked, offset, first);
    }
  }

  private BatchMarker checkMarker(String asked, ByteBuffer in, int at, long next, Snapshot now) {
    if (BatchMarker.check(in, at, in.limit()) != BatchMarker.Check.GOOD) {
      throw new Violation("%s: a bad marker at byte %d", asked, at);
    }
    BatchMarker marker = BatchMarker.read(in, at);
    if (marker.baseOffset() != next
        || marker.durableOffset() > next
        || marker.partitionHash() != PartitionHash.of(model.id)
        || marker.logEpoch() < epoch
        || marker.logEpoch() > now.epoch()
        || marker.appendTime() < appendTime) {
      oddMarker =
          "%s: impossible at offset %d, epoch %d, append time %d: %s"
              .formatted(asked, next, epoch, appendTime, marker);
    }
    epoch = marker.logEpoch();
    appendTime = marker.appendTime();
    int from = at + BatchMarker.BYTES;
    if (in.limit() - from >= marker.bytes()) {
      long hash = EntriesHash.start(marker.span());
      int to = from + marker.bytes();
      for (int i = from; i < to && isEntry(in, i, to); i += Entry.bytes(in, i)) {
        hash = EntriesHash.add(hash, in.getLong(i + Entry.LENGTH));
      }
      if (EntriesHash.finish(hash) != marker.entriesHash()) {
        throw new Violation("%s: entries are not those of %s", asked, marker);
      }
    }
    return marker;
  }

  private static boolean isEntry(ByteBuffer in, int at, int limit) {
    return Entry.problem(in, at, limit) == Entry.Problem.NONE;
  }
}
