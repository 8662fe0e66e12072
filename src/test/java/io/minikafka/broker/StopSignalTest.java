package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopSignalTest {
  private final StopSignal signal = new StopSignal();
  private final List<String> told = new ArrayList<>();

  @Test
  void whoWaitsIsToldOnce() {
    signal.whenStopping(() -> told.add("one"));
    signal.whenStopping(() -> told.add("two"));
    signal.stop();
    signal.stop();
    assertEquals(List.of("one", "two"), told);
  }

  @Test
  void whoComesTooLateIsToldAtOnce() {
    signal.stop();
    signal.whenStopping(() -> told.add("late")).run();
    assertEquals(List.of("late"), told);
  }

  @Test
  void whoHasLostInterestIsForgotten() {
    Runnable same = () -> told.add("one");
    Runnable forget = signal.whenStopping(same);
    signal.whenStopping(same);
    forget.run();
    assertEquals(1, signal.waiting());
    signal.stop();
    assertEquals(List.of("one"), told);
  }
}
