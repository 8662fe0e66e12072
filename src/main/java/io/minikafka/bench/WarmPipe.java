package io.minikafka.bench;

import java.io.IOException;

/**
 * What goes before latencies: the same way at a higher rate, for so long that both ends have
 * compiled it. At a thousand records a second that takes minutes, all the while a compiler takes a
 * processor for milliseconds now and then, and that would be what the tail of a slow rate shows.
 * Stateless.
 */
final class WarmPipe {
  private static final int RECORDS_PER_S = 20_000;

  /** It takes so much longer than the warm-up of a point. */
  private static final int TIMES_A_WARM_UP = 40;

  private WarmPipe() {}

  /** Sends through a pipe that nothing else uses, and closes it; nothing without a warm-up. */
  static void run(Pipe pipe, ProduceShape shape, Effort effort)
      throws IOException, InterruptedException {
    try (pipe) {
      if (effort.warmUpNanos() > 0) {
        new LatencyRun(pipe, shape)
            .run(
                RECORDS_PER_S,
                0,
                Math.min(TIMES_A_WARM_UP * effort.warmUpNanos(), 2 * effort.latencyNanos()));
      }
    }
  }
}
