package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The simulation must find what is broken on purpose: each of these runs it with one fault and
 * passes only if a seed fails, for the right reason. What the failure says is printed.
 */
class GroupNegativeControlsTest {
  private static final int SEEDS = 2000;

  @Test
  void staleListThatCountsAsLetGoIsFound() {
    finds("holds", Faults::staleListsCount);
  }

  @Test
  void grantBeforeTheOldOwnerLetGoIsFound() {
    finds("holds", Faults::askedIsLetGo);
  }

  @Test
  void commitUnderAnOldGrantIsFound() {
    finds("a commit was accepted that is not its owner's", Faults::anyGrantCounts);
  }

  @Test
  void commitOfAnotherMemberIsFound() {
    finds("a commit was accepted that is not its owner's", Faults::anyMemberCounts);
  }

  @Test
  void sessionThatEndsEarlyIsFound() {
    finds("holds", Faults::clockHurries);
  }

  @Test
  void grantThatIsNotWrittenIsFound() {
    finds("replayed", Faults::grantsAreNotWritten);
  }

  @Test
  void commitThatIsNotWrittenIsFound() {
    finds("replayed", Faults::commitsAreNotWritten);
  }

  @Test
  void resetThatIsNotWrittenIsFound() {
    finds("replayed", Faults::resetsAreNotWritten);
  }

  @Test
  void resetOfALiveGroupWithoutForceIsFound() {
    finds("done beside members without force", Faults::alwaysForced);
  }

  @Test
  void trialThatChangesSomethingIsFound() {
    finds("accepted", Faults::trialsAreCarriedOut);
  }

  private static void finds(String violation, Supplier<Fault> fault) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        GroupSimulationTest.life(seed, fault.get(), false);
      } catch (AssertionError e) {
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (said.contains(violation)) {
          System.out.printf("found by seed %d: %s%n", seed, said);
          return;
        }
      }
    }
    fail("no seed found it");
  }
}
