package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of markers, each standing where the batch of the one before it ends and continuing its
 * offsets; gap entries may stand between. Fed with markers in position order, it tells which row
 * reaches the end of the file or the next segment's base offset. What a crash leaves at the end of
 * a file counts as its end: one batch that goes beyond it, less than a marker, or zeros.
 *
 * <p>One thread. At most {@link #MOST} rows grow at once; while there are as many, no new one
 * begins.
 */
final class MarkerChains {
  /** More than that many rows side by side only a file made to confuse can hold. */
  static final int MOST = 1024;

  private static final int NOT_KNOWN = -1;

  private final Window window;
  private final long limitOffset;

  private final List<Chain> growing = new ArrayList<>();
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

    void take(BatchMarker marker, long end) {
      next = Math.toIntExact(end);
      nextOffset = marker.baseOffset() + marker.span();
      epoch = marker.logEpoch();
    }
  }

  MarkerChains(Window window, long limitOffset) {
    this.window = window;
    this.limitOffset = limitOffset;
  }

  void clear() {
    growing.clear();
    best = null;
  }

  /** No marker begins below {@code position} any more. */
  void settleBelow(int position) throws IOException {
    for (Iterator<Chain> all = growing.iterator(); all.hasNext(); ) {
      Chain chain = all.next();
      while (chain.next < position) {
        Optional<Found.Gap> gap = GapEntry.at(window, chain.next, chain.nextOffset, limitOffset);
        if (gap.isEmpty()) {
          if (chain.nextOffset == limitOffset || endsAt(chain.next)) {
            complete(chain);
          }
          all.remove();
          break;
        }
        chain.next += gap.get().bytes();
        chain.nextOffset += gap.get().span();
      }
    }
  }

  /** A good marker stands at {@code position}; all below was settled. */
  void add(BatchMarker marker, int position) {
    long end = (long) position + BatchMarker.BYTES + marker.bytes();
    boolean taken = false;
    for (Iterator<Chain> all = growing.iterator(); all.hasNext(); ) {
      Chain chain = all.next();
      if (chain.next != position) {
        continue;
      }
      boolean follows = chain.nextOffset == marker.baseOffset() && chain.epoch <= marker.logEpoch();
      if (follows && end > window.size()) {
        complete(chain);
      }
      // Of two rows that meet only the first can win.
      if (follows && !taken && end <= window.size()) {
        chain.take(marker, end);
        taken = true;
      } else {
        all.remove();
      }
    }
    if (!taken && end <= window.size() && growing.size() < MOST) {
      Chain chain = new Chain(new MarkerSearch.Place(position, marker.baseOffset()));
      chain.take(marker, end);
      growing.add(chain);
    }
  }

  /** Where the first row begins that reaches the end. */
  Optional<MarkerSearch.Place> finish() throws IOException {
    settleBelow(window.size());
    growing.forEach(this::complete);
    growing.clear();
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
