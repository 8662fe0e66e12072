package io.minikafka.app;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much heap the process has allocated. Stateless; any thread. */
final class Allocation {
  private Allocation() {}

  /** By all threads, the ended ones too; NaN if this Java does not count it. */
  static double bytes() {
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      long bytes = threads.getTotalThreadAllocatedBytes();
      return bytes < 0 ? Double.NaN : bytes;
    }
    return Double.NaN;
  }
}
