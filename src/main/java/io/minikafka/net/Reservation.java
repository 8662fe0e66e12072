package io.minikafka.net;

/** Room for a frame: granted, or to be granted, or given up. */
final class Reservation {
  private final IncomingFrame frame;
  private final long bytes;
  private final boolean begun;
  private final long number;
  private final Runnable onGranted;

  // Guarded by the memory's lock.
  private boolean granted;
  private boolean cancelled;

  /**
   * @param begun the frame has some already
   * @param number counts up, in the order they come
   * @param onGranted see {@link NetMemory#takeLater}
   */
  Reservation(IncomingFrame frame, long bytes, boolean begun, long number, Runnable onGranted) {
    this.frame = frame;
    this.bytes = bytes;
    this.begun = begun;
    this.number = number;
    this.onGranted = onGranted;
  }

  IncomingFrame frame() {
    return frame;
  }

  long bytes() {
    return bytes;
  }

  boolean begun() {
    return begun;
  }

  long number() {
    return number;
  }

  void tell() {
    onGranted.run();
  }

  void grant() {
    granted = true;
  }

  /**
   * @return whether what was granted is to be given back: once
   */
  boolean cancel() {
    boolean giveBack = granted && !cancelled;
    cancelled = true;
    return giveBack;
  }
}
