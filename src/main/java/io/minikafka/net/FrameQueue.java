package io.minikafka.net;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one size, small or large, that wait for room: those of clients who are known to send
 * whole frames, and the others, each kind with a bound of its own. And the one that may go beyond
 * it.
 *
 * <p>The short ones come first: who announces much and sends little must not stand before who needs
 * little. Then those that were begun, then those that came first. Beyond the bound goes the first
 * of either kind and the one that has waited longest, in turns: none waits for ever.
 *
 * <p>Guarded by the memory's lock, except for the flags.
 */
final class FrameQueue {
  private static final Comparator<Reservation> SHORT_FIRST =
      Comparator.comparingInt((Reservation waiting) -> waiting.frame().bytes())
          .thenComparing(waiting -> !waiting.begun())
          .thenComparingLong(Reservation::number);

  private final Room room;
  private final long provenLimitBytes;
  private final long limitBytes;
  private final SortedSet<Reservation> proven = new TreeSet<>(SHORT_FIRST);
  private final SortedSet<Reservation> unproven = new TreeSet<>(SHORT_FIRST);

  private volatile @Nullable IncomingFrame overdrawing;
  private Turn turn = Turn.LONGEST_WAITING;

  // Written under the lock.
  private volatile long overdrawnBytes;
  private volatile boolean overdrawn;
  private volatile boolean provenWait;
  private volatile boolean unprovenWait;

  /** Who goes beyond the bound. */
  private enum Turn {
    PROVEN,
    UNPROVEN,
    LONGEST_WAITING;

    Turn next() {
      return values()[(ordinal() + 1) % values().length];
    }
  }

  /** Takes room where there is some. */
  @FunctionalInterface
  interface Room {
    boolean take(long bytes, long limitBytes);
  }

  /**
   * @param provenLimitBytes what may be in use with a proven frame
   * @param limitBytes the same for the others
   */
  FrameQueue(Room room, long provenLimitBytes, long limitBytes) {
    this.room = room;
    this.provenLimitBytes = provenLimitBytes;
    this.limitBytes = limitBytes;
  }

  // On any thread, without the lock.

  /** One that need not wait takes what it needs. */
  boolean take(boolean isProven, long bytes) {
    return !(isProven ? provenWait : unprovenWait) && room.take(bytes, limitBytes(isProven));
  }

  boolean somebodyWaits() {
    return provenWait || unprovenWait;
  }

  /** What the frame beyond the bound took, until it is whole. */
  long overdrawnBytes() {
    return overdrawnBytes;
  }

  /** Whether this frame is the one beyond the bound. */
  boolean isOverdrawing(IncomingFrame frame) {
    return overdrawing == frame;
  }

  /** Some frame is beyond the bound, and grows. */
  boolean isOverdrawn() {
    return overdrawn;
  }

  // Under the lock.

  void add(Reservation waiting) {
    queue(waiting.frame().isProven()).add(waiting);
    noteWhoWaits();
  }

  void remove(Reservation waiting) {
    queue(waiting.frame().isProven()).remove(waiting);
    noteWhoWaits();
  }

  int size() {
    return proven.size() + unproven.size();
  }

  /**
   * One who waits and has been given room now.
   *
   * @param mayOverdraw nothing is in use beyond the bound
   */
  @Nullable Reservation grant(boolean mayOverdraw) {
    for (SortedSet<Reservation> queue : List.of(proven, unproven)) {
      if (!queue.isEmpty()) {
        Reservation next = queue.first();
        if (room.take(next.bytes(), limitBytes(next.frame().isProven()))) {
          return taken(next);
        }
      }
    }
    return mayOverdraw && overdrawing == null && size() > 0 ? overdraw() : null;
  }

  private Reservation overdraw() {
    turn = turn.next();
    Reservation next =
        switch (turn) {
          case PROVEN -> first(proven, unproven);
          case UNPROVEN -> first(unproven, proven);
          case LONGEST_WAITING -> longestWaiting();
        };
    overdrawing = next.frame();
    overdrawn = true;
    overdrawnBytes += next.bytes();
    return taken(next);
  }

  private static Reservation first(SortedSet<Reservation> one, SortedSet<Reservation> orElse) {
    return (one.isEmpty() ? orElse : one).first();
  }

  private Reservation longestWaiting() {
    return Stream.concat(proven.stream(), unproven.stream())
        .min(Comparator.comparingLong(Reservation::number))
        .orElseThrow();
  }

  private Reservation taken(Reservation next) {
    remove(next);
    next.grant();
    return next;
  }

  /** More for the one that is beyond the bound; it waits for nobody: all may be waiting for it. */
  boolean overdrawMore(IncomingFrame frame, long bytes) {
    if (overdrawing != frame) {
      return false;
    }
    overdrawnBytes += bytes;
    return true;
  }

  /**
   * A frame grows no more.
   *
   * @return what it took beyond the bound, which is now in use like everything else
   */
  long ended(IncomingFrame frame) {
    if (overdrawing != frame) {
      return 0;
    }
    long bytes = overdrawnBytes;
    overdrawing = null;
    overdrawn = false;
    overdrawnBytes = 0;
    return bytes;
  }

  private long limitBytes(boolean isProven) {
    return isProven ? provenLimitBytes : limitBytes;
  }

  private SortedSet<Reservation> queue(boolean isProven) {
    return isProven ? proven : unproven;
  }

  private void noteWhoWaits() {
    provenWait = !proven.isEmpty();
    unprovenWait = !unproven.isEmpty();
  }
}
