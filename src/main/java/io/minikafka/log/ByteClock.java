package io.minikafka.log;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes touched in a data directory, so that "lately" is bounded. Any thread. */
final class ByteClock {
  /** One tick; 31 bits of them are 2⁴⁷ bytes, after which guesses are wrong for a while. */
  private static final int TICK_BYTES = 64 << 10;

  private final AtomicLong touched = new AtomicLong();
  private final int budgetTicks;

  /**
   * @param budgetBytes how many bytes may have been touched since for a thing to be recent
   */
  ByteClock(long budgetBytes) {
    budgetTicks = (int) Math.min(Integer.MAX_VALUE / 2, budgetBytes / TICK_BYTES);
  }

  /** Counts bytes; the present time in ticks, never 0. */
  int advance(int bytes) {
    return ticks(touched.addAndGet(bytes));
  }

  boolean isRecent(int stamp) {
    return stamp != 0 && ticks(touched.get()) - stamp <= budgetTicks;
  }

  private static int ticks(long bytes) {
    return 1 + (int) (bytes / TICK_BYTES & Integer.MAX_VALUE - 1);
  }
}
