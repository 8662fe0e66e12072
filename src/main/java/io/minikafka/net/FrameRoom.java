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

  /** Of whole frames. */
  private long deliveredBytes;

  private @Nullable IncomingFrame frame;
  private long bytes;
  private @Nullable Reservation reservation;
  private boolean granted;
  private boolean slow;

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
   * @param frameBytes what the frame announces
   * @param hereBytes what has come of it
   * @return what there is for it: as much as when it was first asked for; 0: not yet
   */
  long begin(int frameBytes, long hereBytes, long least) {
    IncomingFrame begun = frame;
    if (begun == null) {
      begun = IncomingFrame.of(frameBytes, hereBytes, deliveredBytes);
      frame = begun;
    }
    return take(begun, least);
  }

  /** More room for the frame that was begun; false: not yet. */
  boolean grow(long more) {
    return frame != null && take(frame, more) > 0;
  }

  private long take(IncomingFrame of, long wanted) {
    if (reservation == null) {
      if (memory.tryTake(of, wanted)) {
        add(wanted);
        return wanted;
      }
      reservation = memory.takeLater(of, bytes > 0, wanted, this::tell);
    }
    return takeGranted();
  }

  private long takeGranted() {
    Reservation asked = reservation;
    if (asked == null || !granted) {
      return 0;
    }
    reservation = null;
    granted = false;
    add(asked.bytes());
    return asked.bytes();
  }

  private void add(long more) {
    bytes += more;
    if (slow) {
      memory.addSlow(more);
    }
  }

  /** Whether that frame, if it comes slowly, is in the way of those who wait for room. */
  boolean shouldHurry() {
    return frame != null && memory.shouldHurry(frame);
  }

  /** The frame that is coming in comes slowly. */
  void markSlow() {
    if (!slow) {
      slow = true;
      memory.addSlow(bytes);
    }
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
    if (slow) {
      slow = false;
      memory.addSlow(-taken);
    }
    if (frame != null) {
      deliveredBytes += frame.bytes();
      memory.frameEnded(frame);
      frame = null;
    }
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
