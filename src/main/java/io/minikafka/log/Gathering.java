package io.minikafka.log;

/**
 * How many appends wait for the next force of a log, and whether it is worth waiting for more.
 *
 * <p>A force costs much the same for one append as for a hundred, and who was just answered is
 * likely to come again at once. So a force that follows closely on another waits until half of
 * those have come that the last ones answered and found waiting at their end: while it is at work
 * the other half comes, and disk and processors are busy at the same time. It waits no longer than
 * a force takes. Up to two producers with one append under way each wait for nobody, nor does who
 * comes when nothing was going on.
 *
 * <p>Guarded by the {@link GroupCommitter} whose log it is.
 */
final class Gathering {
  /** A slow disk is no reason to wait long: many come while it is at work anyhow. */
  static final long MOST_NANOS = 1_000_000;

  /** Means and memories are over about so many forces. */
  private static final int FORCES = 8;

  private int came;
  private int answering;

  /** How many seem to keep coming: grows at once, falls slowly. */
  private double crowd;

  private long meanForceNanos;
  private long untilNanos;

  /** So many more appends wait. */
  void come(int appends) {
    came += appends;
  }

  /** Whether a force is to begin now rather than at {@link #untilNanos}. */
  boolean isComplete(long nowNanos) {
    return came >= Math.round(crowd / 2) || nowNanos - untilNanos >= 0;
  }

  /** When it begins at the latest. */
  long untilNanos() {
    return untilNanos;
  }

  /** A force begins, for all that came. */
  void begin() {
    answering = came;
    came = 0;
  }

  /**
   * It has ended.
   *
   * @param tookNanos how long it took
   */
  void end(long nowNanos, long tookNanos) {
    int seen = answering + came;
    crowd = Math.max(seen, crowd - (crowd - seen) / FORCES);
    meanForceNanos += (Math.min(tookNanos, MOST_NANOS) - meanForceNanos) / FORCES;
    untilNanos = nowNanos + meanForceNanos;
  }
}
