package io.minikafka.client;

import java.util.concurrent.ThreadLocalRandom;

/** Pauses that double from failure to failure up to a bound. One thread at a time. */
final class Backoff {
  private final int firstMs;
  private final int longestMs;
  private int nextMs;

  Backoff(int firstMs, int longestMs) {
    this.firstMs = firstMs;
    this.longestMs = longestMs;
    reset();
  }

  void reset() {
    nextMs = firstMs;
  }

  /**
   * The pause after one more failure; up to a quarter shorter than it would be, so that many
   * clients do not come back at the same moment.
   */
  int afterFailureMs() {
    int pauseMs = nextMs;
    nextMs = (int) Math.min(longestMs, 2L * nextMs);
    return pauseMs - ThreadLocalRandom.current().nextInt(pauseMs / 4 + 1);
  }
}
