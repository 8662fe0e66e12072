package io.minikafka.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;

/** What this process has used. Stateless; any thread. */
final class ClientUsage {
  private ClientUsage() {}

  static Usage now() {
    OptionalDouble cpuNanos =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? known(system.getProcessCpuTime())
            : OptionalDouble.empty();
    OptionalDouble allocatedBytes =
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            ? known(threads.getTotalThreadAllocatedBytes())
            : OptionalDouble.empty();
    return new Usage(cpuNanos, allocatedBytes);
  }

  private static OptionalDouble known(long value) {
    return value < 0 ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
