package io.minikafka.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.StoreSettings;
import io.minikafka.sim.ModelLog.End;
import io.minikafka.sim.Script.Step;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fixed script, ended before each of its disk operations in turn. */
class EveryCrashPointTest {
  private static final long SEED = 7;

  /** What the disk forgets is chance; so many are tried at each point. */
  private static final int POWER_LOSSES = 4;

  private static final List<Step> STEPS =
      List.of(
          Step.APPEND,
          Step.SETTLE,
          Step.APPEND,
          Step.APPEND_OTHER,
          Step.APPEND,
          Step.SETTLE,
          Step.WAIT,
          Step.SETTLE,
          Step.TRIM,
          Step.APPEND,
          Step.SETTLE,
          Step.APPEND,
          Step.RESTART,
          Step.APPEND,
          Step.APPEND_OTHER,
          Step.SETTLE,
          Step.WAIT,
          Step.SETTLE,
          Step.DELETE,
          Step.APPEND,
          Step.SETTLE);

  @ParameterizedTest
  @EnumSource(FlushPolicy.class)
  void crashBeforeAnyDiskOperationKeepsEveryPromise(FlushPolicy policy) {
    Script script = new Script(new StoreSettings(1500, 3_000, 200, 4_000, -1, policy, 500), STEPS);
    long points = 0;
    while (play(script, points)) {
      points++;
    }
    System.out.printf("%s: %d crash points%n", policy, points);
    assertTrue(points > 100, "the script does too little");
  }

  /**
   * @return whether the script has so many operations
   */
  private static boolean play(Script script, long point) {
    boolean reached = new World(SEED, point, Stack.local()).play(script, point, End.KILL);
    for (int i = 0; i < POWER_LOSSES; i++) {
      long diskSeed = point * POWER_LOSSES + i;
      new World(SEED, diskSeed, Stack.local()).play(script, point, End.POWER_LOSS);
    }
    return reached;
  }
}
