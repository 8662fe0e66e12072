package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows of markers, each standing where the batch of the one before it ends and continuing its
 * offsets; gap entries may stand between, and batches of which only the marker is damaged. Fed with
 * markers in position order, it tells which row reaches the end of the file or the next segment's
 * base offset. What a crash leaves at the end of a file counts as its end: one batch that goes
 * beyond it, less than a marker, or zeros.
 *
 * <p>One thread. At most {@link #MOST} rows grow at once; while there are as many, no new one
 * begins.
 */
final class MarkerChains {
  /** So many rows side by side only a file made to confuse can hold. */
  static final int MOST = 1 << 16;

  private static final int NOT_KNOWN = -1;

  private final Window window;
  private final long limitOffset;

  /** By where their next marker is due. */
  private final TreeMap<Integer, List<Chain>> growing = new TreeMap<>();

  private int growingCount;
  private MarkerSearch.@Nullable Place best;
  private int zerosFrom = NOT_KNOWN;

  private static final class Chain {
    final MarkerSearch.Place begin;
    int next;
    long nextOffset;
    int epoch;

    Chain(MarkerSearch.Place begin) {
      this.begin = begin;
    }

    boolean continuesAt(BatchMarker marker) {
      return nextOffset == marker.baseOffset() && epoch <= marker.logEpoch();
    }
  }

  MarkerChains(Window window, long limitOffset) {
    this.window = window;
    this.limitOffset = limitOffset;
  }

  void clear() {
    growing.clear();
    growingCount = 0;
    best = null;
  }

  /** No marker begins below {@code position} any more. */
  void settleBelow(int position) throws IOException {
    while (!growing.isEmpty() && growing.firstKey() < position) {
      for (Chain chain : takeFirst()) {
        while (chain.next < position && advance(chain)) {}
        if (chain.next >= position) {
          grow(chain);
        } else if (chain.nextOffset == limitOffset || endsAt(chain.next)) {
          complete(chain);
        }
      }
    }
  }

  private List<Chain> takeFirst() {
    List<Chain> chains = growing.pollFirstEntry().getValue();
    growingCount -= chains.size();
    return chains;
  }

  private void grow(Chain chain) {
    growing.computeIfAbsent(chain.next, position -> new ArrayList<>(1)).add(chain);
    growingCount++;
  }

  /** Steps over a gap, or over a batch whose marker is damaged but not its entries. */
  private boolean advance(Chain chain) throws IOException {
    Optional<Found.Gap> gap = GapEntry.at(window, chain.next, chain.nextOffset, limitOffset);
    if (gap.isPresent()) {
      chain.next += gap.get().bytes();
      chain.nextOffset += gap.get().span();
      return true;
    }
    Optional<EntryRun> batch = EntryRun.behind(window, chain.next, chain.nextOffset, limitOffset);
    if (batch.isPresent()) {
      chain.next = batch.get().endPosition();
      chain.nextOffset = batch.get().nextOffset();
      return true;
    }
    return false;
  }

  /** A good marker stands at {@code position}; all below was settled. */
  void add(BatchMarker marker, int position) {
    long end = (long) position + BatchMarker.BYTES + marker.bytes();
    Chain first = null;
    if (!growing.isEmpty() && growing.firstKey() == position) {
      for (Chain chain : takeFirst()) {
        // Of rows that meet only the first can win.
        boolean comesFirst = first == null || chain.begin.position() < first.begin.position();
        first = chain.continuesAt(marker) && comesFirst ? chain : first;
      }
    }
    if (first != null && end > window.size()) {
      complete(first);
      return;
    }
    if (first == null && growingCount < MOST) {
      first = new Chain(new MarkerSearch.Place(position, marker.baseOffset()));
    }
    if (first != null && end <= window.size()) {
      first.next = Math.toIntExact(end);
      first.nextOffset = marker.baseOffset() + marker.span();
      first.epoch = marker.logEpoch();
      grow(first);
    }
  }

  /** Where the first row begins that reaches the end. */
  Optional<MarkerSearch.Place> finish() throws IOException {
    settleBelow(window.size());
    growing.values().forEach(chains -> chains.forEach(this::complete));
    return Optional.ofNullable(best);
  }

  private void complete(Chain chain) {
    if (best == null || chain.begin.position() < best.position()) {
      best = chain.begin;
    }
  }

  private boolean endsAt(int position) throws IOException {
    return window.size() - position < BatchMarker.BYTES || zerosFrom() <= position;
  }

  /** From where on there is nothing but zeros; looked for once. */
  private int zerosFrom() throws IOException {
    if (zerosFrom == NOT_KNOWN) {
      int at = window.size();
      int block = 1 << 16;
      boolean zeros = true;
      while (zeros && at > 0) {
        int bytes = Math.min(block, at);
        int index = window.index(at - bytes, bytes);
        ByteBuffer in = window.buffer();
        int i = bytes;
        while (i > 0 && in.get(index + i - 1) == 0) {
          i--;
        }
        zeros = i == 0;
        at -= bytes - i;
      }
      zerosFrom = at;
    }
    return zerosFrom;
  }
}
