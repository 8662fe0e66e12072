package io.minikafka.net;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the frame that is coming in on one connection: what it began with, and more as its
 * bytes come. On the connection's event loop.
 */
final class FrameRoom {
  private final NetMemory memory;
  private final Consumer<Runnable> eventLoop;
  private final Runnable onGranted;

  private long bytes;
  private NetMemory.@Nullable Reservation reservation;
  private boolean granted;

  /**
   * @param eventLoop runs something there
   * @param onGranted called there when there is room now: what was refused is to be asked again
   */
  FrameRoom(NetMemory memory, Consumer<Runnable> eventLoop, Runnable onGranted) {
    this.memory = memory;
    this.eventLoop = eventLoop;
    this.onGranted = onGranted;
  }

  /**
   * Room to begin with.
   *
   * @return what there is for it: as much as when it was first asked for; 0: not yet
   */
  long begin(long least) {
    return take(least, false);
  }

  /** More room for the frame that was begun; false: not yet. */
  boolean grow(long more) {
    return take(more, true) > 0;
  }

  private long take(long more, boolean grows) {
    NetMemory.Reservation asked = reservation;
    if (asked == null) {
      if (grows ? memory.tryGrow(this, more) : memory.tryReserve(more)) {
        bytes += more;
        return more;
      }
      Runnable tell = () -> eventLoop.accept(this::granted);
      asked = grows ? memory.growLater(this, more, tell) : memory.reserve(more, tell);
      reservation = asked;
    }
    if (!granted) {
      return 0;
    }
    reservation = null;
    granted = false;
    bytes += asked.bytes();
    return asked.bytes();
  }

  private void granted() {
    granted = true;
    onGranted.run();
  }

  /**
   * The frame is whole.
   *
   * @return what it has taken, which is the caller's to release now
   */
  long handOver() {
    long taken = bytes;
    bytes = 0;
    memory.frameEnded(this);
    return taken;
  }

  /** Gives everything back. */
  void end() {
    memory.release(handOver());
    if (reservation != null) {
      memory.cancel(reservation);
      reservation = null;
    }
  }
}
