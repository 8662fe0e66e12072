package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a group keep every promise. {@code -Dseed=17} replays one, {@code -Dseeds=100000}
 * widens, {@code -Dsteps=1000} makes each longer.
 */
class GroupSimulationTest {
  private static final int USUAL_SEEDS = 10_000;
  private static final int USUAL_STEPS = 250;

  @Test
  void randomSchedulesKeepEveryPromise() {
    boolean one = System.getProperty("seed") != null;
    long first = Long.getLong("seed", 1);
    long seeds = Long.getLong("seeds", one ? 1 : USUAL_SEEDS);
    System.out.printf("group schedules: seeds %d to %d%n", first, first + seeds - 1);
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        life(seed, Fault.NONE, false);
      } catch (AssertionError | RuntimeException e) {
        explain(seed, Fault.NONE, e);
      }
    }
  }

  static void life(long seed, Fault fault, boolean tracing) {
    GroupWorld world = new GroupWorld(seed, fault, tracing);
    try {
      world.run(Integer.getInteger("steps", USUAL_STEPS));
      world.quiet();
    } catch (AssertionError | RuntimeException e) {
      if (tracing) {
        List<String> trace = world.trace();
        trace
            .subList(Math.max(0, trace.size() - Integer.getInteger("trace", 80)), trace.size())
            .forEach(System.out::println);
      }
      throw e;
    }
  }

  private static void explain(long seed, Fault fault, Throwable first) {
    try {
      life(seed, fault, true);
    } catch (AssertionError | RuntimeException again) {
      throw new AssertionError("seed " + seed + ": " + again.getMessage(), again);
    }
    fail("seed " + seed + " failed once only: " + first);
  }
}
