package io.minikafka.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.StoreSettings;
import io.minikafka.sim.ModelLog.End;
import io.minikafka.sim.Script.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A compacted log, ended before each of its disk operations in turn; and that this finds faults.
 */
class CompactionCrashTest {
  /** What the disk forgets is chance; so many are tried at each point. */
  private static final int POWER_LOSSES = 3;

  private static final int SEGMENT_BYTES = 1500;

  /** Rolled so soon that there are many small segments, which compaction joins. */
  private static final long SEGMENT_MS = 120;

  private static Script script(FlushPolicy policy) {
    List<Step> steps = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        steps.add(Step.APPEND);
        steps.add(Step.SETTLE);
      }
      steps.add(Step.WAIT);
      steps.add(Step.SETTLE);
      if (round == 1) {
        steps.add(Step.RESTART);
      }
      if (round == 0) {
        steps.add(Step.TRIM);
      }
    }
    Cleanup cleanup = new Cleanup(CleanupPolicy.COMPACT, 5_000, 0, 0);
    return new Script(
        new StoreSettings(SEGMENT_BYTES, SEGMENT_MS, 200, -1, -1, policy, 500, cleanup), steps);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void crashBeforeAnyDiskOperationKeepsEveryPromise(long seed) {
    Script script = script(seed == 7 ? FlushPolicy.COMMIT : FlushPolicy.INTERVAL);
    long points = 0;
    while (play(script, seed, points, Stack.local())) {
      points++;
    }
    World whole = new World(seed, Stack.local());
    whole.play(script, Long.MAX_VALUE, End.KILL);
    System.out.printf(
        "seed %d: %d crash points, %d compactions%n", seed, points, whole.compactions());
    assertTrue(whole.compactions() >= 3, "the script compacts too little");
  }

  /**
   * @return whether the script has so many operations
   */
  private static boolean play(Script script, long seed, long point, Stack stack) {
    boolean reached = new World(seed, point, stack).play(script, point, End.KILL);
    for (int i = 0; i < POWER_LOSSES; i++) {
      long diskSeed = point * POWER_LOSSES + i;
      new World(seed, diskSeed, stack).play(script, point, End.POWER_LOSS);
    }
    return reached;
  }

  /** The same script over a swap that is broken must fail; what it says is printed. */
  @ParameterizedTest
  @CsvSource({
    "SEGMENT_NOT_FORCED, 7",
    "SECOND_NAME_NOT_FORCED, 8",
    "REMOVAL_NOT_FORCED, 9",
    "ORIGINALS_FIRST, 7"
  })
  void swapThatLeavesAStepOutIsFound(SwapFaultDisk.Fault fault, long firstSeed) {
    Stack broken = Stack.local(disk -> new SwapFaultDisk(disk, fault));
    // Most of the time went into seeds that were known to find nothing.
    for (long seed = firstSeed; seed < firstSeed + 5; seed++) {
      try {
        Script script = script(FlushPolicy.COMMIT);
        for (long point = 0; play(script, seed, point, broken); point++) {}
      } catch (AssertionError e) {
        System.out.println(
            fault + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        return;
      }
    }
    fail("nothing was found");
  }

  /** A world in which nothing is compacted would prove nothing. */
  @Test
  void randomLivesCompact() {
    int compactions = 0;
    for (long seed = 1; seed <= 40; seed++) {
      World world = new World(seed, Stack.local());
      world.run(400);
      compactions += world.compactions();
    }
    System.out.printf("%d compactions in 40 lives%n", compactions);
    assertTrue(compactions >= 30, "only " + compactions);
  }
}
