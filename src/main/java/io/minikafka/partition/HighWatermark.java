package io.minikafka.partition;

/**
 * The offset below which everything is visible. Never falls, but for a repair that cuts the log;
 * any thread.
 */
final class HighWatermark {
  private final Runnable onRise;

  /** Written under this; published by being written. */
  private volatile Mark mark;

  /**
   * @param cuts how often it fell
   */
  private record Mark(long cuts, long offset) {}

  HighWatermark(long offset, Runnable onRise) {
    this.mark = new Mark(0, offset);
    this.onRise = onRise;
  }

  long get() {
    return mark.offset;
  }

  /** To be noted before looking at what it is to be raised to. */
  long cuts() {
    return mark.cuts;
  }

  /**
   * @param cuts noted before {@code to} was looked at: what was seen before a cut counts no more
   */
  void raiseTo(long to, long cuts) {
    if (mark.offset >= to) {
      return;
    }
    synchronized (this) {
      if (mark.cuts != cuts || mark.offset >= to) {
        return;
      }
      mark = new Mark(cuts, to);
    }
    onRise.run();
  }

  /** The log ends at {@code end} now; who waits is told, because what it waits for may be gone. */
  void cutTo(long end) {
    synchronized (this) {
      mark = new Mark(mark.cuts + 1, Math.min(mark.offset, end));
    }
    onRise.run();
  }
}
