package io.minikafka.bench;

/**
 * When a repetition has done enough: after a time or a number of bytes, whatever comes first. The
 * bytes keep fast points from filling the disk and the page cache. At least one frame is always
 * sent.
 *
 * @param nanos how long it sends
 * @param wireBytes how much
 */
record Limit(long nanos, long wireBytes) {
  boolean isReached(long startNanos, long nowNanos, long sentBytes) {
    return nowNanos - startNanos >= nanos || sentBytes >= wireBytes;
  }

  /** Each of several beside each other. */
  Limit shared(int among) {
    return new Limit(nanos, Math.max(1, wireBytes / among));
  }
}
