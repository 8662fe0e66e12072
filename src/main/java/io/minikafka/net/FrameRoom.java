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
   * @param isSmall that is all of it, and little
   * @return what there is for it: as much as when it was first asked for; 0: not yet
   */
  long begin(long least, boolean isSmall) {
    if (reservation == null) {
      if (memory.tryBegin(least, isSmall)) {
        bytes += least;
        return least;
      }
      reservation = memory.beginLater(this, least, isSmall, this::tell);
    }
    return takeGranted();
  }

  /** More room for the frame that was begun; false: not yet. */
  boolean grow(long more) {
    if (reservation == null) {
      if (memory.tryGrow(this, more)) {
        bytes += more;
        return true;
      }
      reservation = memory.growLater(this, more, this::tell);
    }
    return takeGranted() > 0;
  }

  private long takeGranted() {
    NetMemory.Reservation asked = reservation;
    if (asked == null || !granted) {
      return 0;
    }
    reservation = null;
    granted = false;
    bytes += asked.bytes();
    return asked.bytes();
  }

  /** On any thread. */
  private void tell() {
    eventLoop.accept(this::granted);
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
    if (reservation != null) {
      // First: what is given back must not be granted to itself.
      memory.cancel(reservation);
      reservation = null;
    }
    memory.release(handOver());
  }
}
