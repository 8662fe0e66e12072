package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a log goes on behind a marker that is damaged. User data may hold whole markers, so a
 * marker alone proves nothing:
 *
 * <ol>
 *   <li>Whole entries that continue the offsets are stepped over: the inside of a record is no
 *       place to look. If they lead to a good marker, to another damaged one with whole entries
 *       behind it, or to the end of the file, that is the place.
 *   <li>Otherwise each marker that could belong here begins a chain (see {@link MarkerChains}), and
 *       the place is where the first chain begins that reaches the end of the file.
 * </ol>
 *
 * <p>One pass over the rest of the file. One thread; reusable within one file.
 */
final class MarkerSearch {
  private static final byte MAGIC_FIRST = (byte) BatchMarker.MAGIC;
  private static final int NONE = -1;

  private final Window window;
  private final LogRules rules;
  private final long limitOffset;
  private final MarkerChains chains;

  /** Where the log goes on, or ends. */
  record Place(int position, long baseOffset) {}

  /**
   * @param limitOffset no batch here reaches beyond it
   */
  MarkerSearch(Window window, LogRules rules, long limitOffset) {
    this.window = window;
    this.rules = rules;
    this.limitOffset = limitOffset;
    this.chains = new MarkerChains(window, limitOffset);
  }

  /**
   * @param position where the damaged marker stands, or whatever stands there instead
   * @param expected the offset that is due there
   * @param lastEpoch the highest epoch before it
   */
  Optional<Place> after(int position, long expected, int lastEpoch) throws IOException {
    Optional<EntryRun> batch = EntryRun.behind(window, position, expected, limitOffset);
    if (batch.isEmpty()) {
      return search(position + 1, expected + 1, lastEpoch);
    }
    int end = batch.get().endPosition();
    long next = batch.get().nextOffset();
    BatchMarker marker = candidate(end, next, lastEpoch);
    if (marker != null) {
      return Optional.of(new Place(end, marker.baseOffset()));
    }
    boolean endsThere =
        end == window.size() || EntryRun.behind(window, end, next, limitOffset).isPresent();
    return endsThere ? Optional.of(new Place(end, next)) : search(end, expected + 1, lastEpoch);
  }

  private Optional<Place> search(int from, long least, int lastEpoch) throws IOException {
    chains.clear();
    for (int at = nextMagic(from); at != NONE; at = nextMagic(at + 1)) {
      BatchMarker marker = candidate(at, least, lastEpoch);
      chains.settleBelow(at);
      if (marker != null) {
        chains.add(marker, at);
      }
    }
    return chains.finish();
  }

  /** The marker there, if it could belong to this log and its offset is at least {@code least}. */
  private @Nullable BatchMarker candidate(int at, long least, int lastEpoch) throws IOException {
    if (window.size() - at < BatchMarker.BYTES) {
      return null;
    }
    int index = window.index(at, BatchMarker.BYTES);
    ByteBuffer in = window.buffer();
    if (BatchMarker.check(in, index, index + BatchMarker.BYTES) != BatchMarker.Check.GOOD) {
      return null;
    }
    BatchMarker marker = BatchMarker.read(in, index);
    boolean counts =
        marker.baseOffset() >= least && rules.objection(marker, lastEpoch, limitOffset).isEmpty();
    return counts ? marker : null;
  }

  /** Where, from {@code from} on, 96 bytes begin that have the magic in its place. */
  private int nextMagic(int from) throws IOException {
    int last = window.size() - (BatchMarker.BYTES - BatchMarker.MAGIC_AT);
    int at = from + BatchMarker.MAGIC_AT;
    while (at <= last) {
      int index = window.index(at, Integer.BYTES);
      int count = Math.min(window.loaded(at) - Integer.BYTES, last - at) + 1;
      ByteBuffer in = window.buffer();
      for (int i = 0; i < count; i++) {
        if (in.get(index + i) == MAGIC_FIRST && in.getInt(index + i) == BatchMarker.MAGIC) {
          return at + i - BatchMarker.MAGIC_AT;
        }
      }
      at += count;
    }
    return NONE;
  }
}
