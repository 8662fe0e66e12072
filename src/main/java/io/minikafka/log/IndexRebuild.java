package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the indexes of a segment anew by walking its headers, and names what cannot be walked: a
 * bad batch as far as its marker says, a bad marker as far as where {@link MarkerSearch} finds the
 * log again, as recovery does. Else it reads no payloads: checksums of records are recovery's and
 * the scrub's to compare. One thread, used once.
 */
final class IndexRebuild {
  private static final int CHUNK_BYTES = 256 << 10;

  private final DiskFile file;
  private final LogRules rules;
  private final long baseOffset;
  private final long nextOffset;
  private final int bytes;
  private final List<DamageRange> known;
  private final EntryCursor cursor;
  private final SegmentIndexes indexes;
  private final List<DamageRange> found = new ArrayList<>();

  // Where the walk stands.
  private @Nullable MarkerSearch search;

  private long expected;
  private int lastEpoch;
  private int batchPosition;
  private int batchEnd;
  private long batchOffset;
  private long batchNext;
  private boolean compacted;

  /**
   * @param rules what markers must agree with that are searched for behind a bad one
   * @param nextOffset behind the segment's last entry
   * @param bytes of the segment
   * @param known damage in this segment that was found before
   */
  IndexRebuild(
      DiskFile file,
      LogRules rules,
      long baseOffset,
      long nextOffset,
      int bytes,
      int intervalBytes,
      List<DamageRange> known) {
    this.file = file;
    this.rules = rules;
    this.baseOffset = baseOffset;
    this.nextOffset = nextOffset;
    this.bytes = bytes;
    this.known = known;
    this.cursor = new EntryCursor(file, bytes, CHUNK_BYTES);
    this.indexes = new SegmentIndexes(baseOffset, intervalBytes);
  }

  /**
   * @param indexes of all that could be walked
   * @param found damage that was not known before
   */
  record Result(SegmentIndexes indexes, List<DamageRange> found) {}

  Result run() throws IOException {
    expected = baseOffset;
    resume(0);
    while (expected < nextOffset || cursor.position() < bytes) {
      Optional<DamageRange> range = knownHere();
      if (range.isPresent()) {
        expected = range.get().to();
        resume(range.get().toPosition());
        continue;
      }
      try {
        if (!cursor.read()) {
          throw new BadEntryException(bytes, "the segment ends before offset " + nextOffset);
        }
        take();
      } catch (BadEntryException e) {
        if (!skip(String.valueOf(e.getMessage()))) {
          break;
        }
      }
    }
    indexes.finishTimes();
    return new Result(indexes, List.copyOf(found));
  }

  private void take() throws BadEntryException {
    boolean inside = cursor.position() < batchEnd;
    if (cursor.isMarker()) {
      takeMarker(inside);
    } else if (cursor.isGap() && !inside) {
      takeGap();
      return;
    } else {
      boolean follows = compacted ? cursor.offset() >= expected : cursor.offset() == expected;
      if (!inside || !follows || cursor.nextOffset() > batchNext) {
        throw bad("offset %d where %d is due".formatted(cursor.offset(), expected));
      }
      indexes.addEntry(cursor.offset(), cursor.position());
      expected = cursor.nextOffset();
    }
    cursor.advance();
    if (cursor.position() == batchEnd) {
      expected = batchNext;
    }
  }

  /** In place of batches that compaction dropped. */
  private void takeGap() throws BadEntryException {
    if (cursor.offset() != expected || cursor.nextOffset() > nextOffset || !cursor.checkGap()) {
      throw bad("a gap that does not belong there");
    }
    indexes.addEntry(cursor.offset(), cursor.position());
    expected = cursor.nextOffset();
    cursor.advance();
    batchEnd = cursor.position();
  }

  private void takeMarker(boolean inside) throws BadEntryException {
    if (inside || cursor.checkMarker() != BatchMarker.Check.GOOD) {
      throw bad("no batch marker where one is due");
    }
    BatchMarker marker = cursor.marker();
    long end = (long) cursor.endPosition() + marker.bytes();
    if (marker.baseOffset() != expected
        || marker.offset() != expected
        || marker.span() < 1
        || marker.span() > nextOffset - expected
        || marker.bytes() < 0
        || end > bytes) {
      throw bad("a batch marker that does not belong there");
    }
    batchPosition = cursor.position();
    batchEnd = (int) end;
    lastEpoch = Math.max(lastEpoch, marker.logEpoch());
    batchOffset = marker.baseOffset();
    batchNext = marker.baseOffset() + marker.span();
    compacted = (marker.flags() & BatchMarker.FLAG_COMPACTED) != 0;
    indexes.addMarker(
        marker.baseOffset(), cursor.position(), marker.maxTimestamp(), marker.appendTime());
  }

  /**
   * Names the bad place and goes on behind it if that is known.
   *
   * @return whether there is anything to go on with
   */
  private boolean skip(String what) throws IOException {
    if (cursor.position() < batchEnd) {
      found.add(new DamageRange(batchOffset, batchNext, baseOffset, batchPosition, batchEnd, what));
      expected = batchNext;
      resume(batchEnd);
      return true;
    }
    int from = cursor.position();
    Optional<MarkerSearch.Place> place = placeBehind(from);
    long to = place.map(MarkerSearch.Place::baseOffset).orElse(nextOffset);
    int toPosition = place.map(MarkerSearch.Place::position).orElse(bytes);
    if (to > expected) {
      found.add(new DamageRange(expected, to, baseOffset, from, toPosition, what));
    }
    expected = to;
    resume(toPosition);
    return place.isPresent();
  }

  /**
   * Where the log goes on behind what should be a marker; reads the rest of the segment at most.
   */
  private Optional<MarkerSearch.Place> placeBehind(int position) throws IOException {
    if (position == bytes) {
      return Optional.empty();
    }
    MarkerSearch present = search;
    if (present == null) {
      Window window = new Window();
      window.open(file, bytes);
      present = new MarkerSearch(window, rules, nextOffset);
      search = present;
    }
    return present.after(position, expected, lastEpoch);
  }

  /** At a batch boundary; a range that was widened begins before what is bad in it. */
  private Optional<DamageRange> knownHere() {
    if (cursor.position() < batchEnd) {
      return Optional.empty();
    }
    return known.stream()
        .filter(r -> r.from() <= expected && expected < r.to())
        .filter(r -> r.fromPosition() <= cursor.position() && cursor.position() <= r.toPosition())
        .findFirst();
  }

  /** At a batch boundary. */
  private void resume(int position) {
    cursor.seek(position, CHUNK_BYTES);
    batchEnd = position;
    compacted = false;
  }

  private BadEntryException bad(String what) {
    return new BadEntryException(cursor.position(), what);
  }
}
