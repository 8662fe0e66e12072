package io.minikafka.net;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one size, small or large, that wait for room: those of clients who are known to send
 * whole frames, and the others, each kind with a bound and an order of its own. And the one that
 * may go beyond the bound.
 *
 * <p>Proven frames come in turn, those that were begun first. Of the others the short ones come
 * first, where that is said: who announces much and sends little must not stand before who needs
 * little.
 *
 * <p>Guarded by the memory's lock, except for the flags.
 */
final class FrameQueue {
  private static final Comparator<Reservation> IN_TURN =
      Comparator.comparing((Reservation waiting) -> !waiting.begun())
          .thenComparingLong(Reservation::number);

  private static final Comparator<Reservation> SHORT_FIRST =
      Comparator.comparingInt((Reservation waiting) -> waiting.frame().bytes())
          .thenComparing(IN_TURN);

  private final Room room;
  private final long provenLimitBytes;
  private final long limitBytes;
  private final SortedSet<Reservation> proven = new TreeSet<>(IN_TURN);
  private final SortedSet<Reservation> unproven;

  private @Nullable IncomingFrame overdrawing;
  private boolean lastWasProven;

  // Written under the lock.
  private volatile long overdrawnBytes;
  private volatile boolean overdrawn;
  private volatile boolean provenWait;
  private volatile boolean unprovenWait;

  /** Takes room where there is some. */
  @FunctionalInterface
  interface Room {
    boolean take(long bytes, long limitBytes);
  }

  /**
   * @param provenLimitBytes what may be in use with a proven frame
   * @param limitBytes the same for the others
   * @param shortFirst see above
   */
  FrameQueue(Room room, long provenLimitBytes, long limitBytes, boolean shortFirst) {
    this.room = room;
    this.provenLimitBytes = provenLimitBytes;
    this.limitBytes = limitBytes;
    unproven = new TreeSet<>(shortFirst ? SHORT_FIRST : IN_TURN);
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

  /** In turns: neither kind keeps the other out for ever, whatever it fills. */
  private Reservation overdraw() {
    boolean isProven = unproven.isEmpty() || !(lastWasProven || proven.isEmpty());
    Reservation next = queue(isProven).first();
    lastWasProven = isProven;
    overdrawing = next.frame();
    overdrawn = true;
    overdrawnBytes += next.bytes();
    return taken(next);
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
