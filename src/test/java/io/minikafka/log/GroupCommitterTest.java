package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupCommitterTest {
  private static final int FORCE_MS = 8;

  private final HandTimers timers = new HandTimers();
  private final HandExecutor forcers = new HandExecutor();
  private final List<String> forced = new ArrayList<>();
  private final GroupCommitter committer =
      new GroupCommitter(forcers, 2, timers, new EngineObserver() {}, log -> {}, (what, why) -> {});
  private final Log log = new Log("log");

  /** A force of it takes a while, in which something may happen. */
  private final class Log implements GroupCommitter.Forceable {
    private final String name;
    private final Gathering gathering = new Gathering();
    private Runnable meanwhile = () -> {};

    Log(String name) {
      this.name = name;
    }

    @Override
    public void force() {
      forced.add(name);
      timers.stallMs(FORCE_MS);
      Runnable happens = meanwhile;
      meanwhile = () -> {};
      happens.run();
    }

    @Override
    public Gathering gathering() {
      return gathering;
    }
  }

  private void come(int appends) {
    for (int i = 0; i < appends; i++) {
      committer.request(log, 1);
    }
  }

  /** Sixteen come while a force is at work, and a second one answers them. */
  private void crowd() {
    log.meanwhile = () -> come(16);
    come(1);
    assertEquals(List.of("log", "log"), forced);
    forced.clear();
  }

  @Test
  void whoComesFirstWaitsForNobody() {
    come(1);
    assertEquals(List.of("log"), forced);
  }

  @Test
  void oneWhoComesAgainAndAgainWaitsForNobody() {
    for (int i = 0; i < 100; i++) {
      come(1);
      assertEquals(i + 1, forced.size());
    }
  }

  @Test
  void twoWhoTakeTurnsWaitForNobody() {
    for (int i = 0; i < 20; i++) {
      log.meanwhile = () -> come(1);
      come(1);
      assertEquals(2 * (i + 1), forced.size());
    }
  }

  @Test
  void afterAForceForManyHalfOfThemAreWaitedFor() {
    crowd();

    come(7);
    assertEquals(List.of(), forced);
    come(1);
    assertEquals(List.of("log"), forced);
  }

  @Test
  void aBatchOfAppendsCountsAsSoMany() {
    crowd();

    committer.request(log, 8);
    assertEquals(List.of("log"), forced);
  }

  @Test
  void theyAreWaitedForNoLongerThanAForceTakesAndNeverForMoreThanAMillisecond() {
    crowd();

    come(1);
    timers.advanceMs(0);
    assertEquals(List.of(), forced);
    timers.advanceMs(1);
    assertEquals(List.of("log"), forced);
  }

  @Test
  void whoComesLateWaitsForNobody() {
    crowd();
    timers.advanceMs(1);

    come(1);
    assertEquals(List.of("log"), forced);
  }

  @Test
  void aCrowdThatDoesNotComeAgainIsForgotten() {
    crowd();
    for (int i = 0; i < 40; i++) {
      come(1);
      timers.advanceMs(1);
    }
    forced.clear();

    come(1);
    come(1);
    assertEquals(List.of("log", "log"), forced);
  }

  @Test
  void aLogThatGathersHoldsUpNoOther() {
    crowd();
    come(1);

    committer.request(new Log("other"), 1);
    assertEquals(List.of("other", "log"), forced, "while the other was forced its time came");
  }

  @Test
  void aCompleteGroupStartsOneForcerHoweverManyMoreCome() {
    crowd();
    forcers.hold();

    come(30);
    assertEquals(1, forcers.waiting());
    forcers.release();
    assertEquals(List.of("log"), forced);
    timers.advanceMs(10);
    assertEquals(List.of("log"), forced, "all were answered by one force");
  }

  @Test
  void whatComesWhileEveryForcerIsBusyIsForcedByTheNextThatIsFree() {
    forcers.hold();
    for (int i = 0; i < 5; i++) {
      committer.request(new Log("log " + i), 1);
    }
    assertEquals(2, forcers.waiting());

    forcers.release();
    assertEquals(List.of("log 0", "log 1", "log 2", "log 3", "log 4"), forced);
  }
}
