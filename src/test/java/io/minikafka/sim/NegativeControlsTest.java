package io.minikafka.sim;

import static org.junit.jupiter.api.Assertions.fail;

import io.minikafka.partition.PartitionStore;
import io.minikafka.sim.SimDisk.Lie;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The simulation must find what is broken on purpose: each of these runs it over a stack with one
 * fault and passes only if a seed fails, for the right reason. What the failure says is printed.
 */
class NegativeControlsTest {
  private static final int STEPS = 400;
  private static final int SEEDS = 300;

  @Test
  void acknowledgementBeforeTheForceIsFound() {
    finds("lost after POWER_LOSS", broken(EarlyStore::new));
  }

  @Test
  void forceThatDoesNothingIsFound() {
    finds("lost after POWER_LOSS", Stack.local(), Lie.FORCE);
  }

  @Test
  void directoryThatIsNotForcedIsFound() {
    finds("lost after POWER_LOSS", Stack.local(), Lie.FORCE_DIRECTORY);
  }

  @Test
  void halfABatchIsFound() {
    finds("half a batch", broken(HalvingStore::new));
  }

  /**
   * The local log forces the cut of a failed append before it refuses the batch. A cut at start
   * that comes back is harmless by now: what comes back is of an older epoch than what was opened.
   */
  @Test
  void refusedBatchThatComesBackIsFound() {
    finds("REFUSED) is in the log", Stack.local(), Lie.CUT);
  }

  private static Stack broken(UnaryOperator<PartitionStore> fault) {
    return ChangedStores.stack(Stack.local(), fault);
  }

  private static void finds(String violation, Stack stack, Lie... lies) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        new World(seed, stack, lies).run(STEPS);
      } catch (AssertionError e) {
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (said.contains(violation)) {
          System.out.println("found: " + said);
          return;
        }
      }
    }
    fail("%d seeds found nothing; expected: %s".formatted(SEEDS, violation));
  }
}
