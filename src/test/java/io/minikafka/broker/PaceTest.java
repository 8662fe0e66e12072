package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How fast things that are bounded by a rate may go. */
class PaceTest {
  private final HandTimers timers = new HandTimers();

  @Test
  void aPaceLetsThroughAsMuchAsItsRateAndALittleAtOnce() {
    Pace pace = new Pace(timers::nanoTime, 1000);
    assertTrue(pace.after(100) > 0, "nothing was saved up yet");
    timers.advanceMs(10_000);
    assertTrue(pace.after(200) <= 0, "a fifth of a second is saved up, and no more");
    long waitNanos = pace.after(1000);
    assertEquals(1000, TimeUnit.NANOSECONDS.toMillis(waitNanos), 1);
    timers.advanceMs(1_000);
    assertTrue(pace.after(100) > 0);
  }

  @Test
  void noRateIsNoWait() {
    Pace pace = new Pace(timers::nanoTime, 0);
    assertEquals(0, pace.after(Long.MAX_VALUE));
  }

  @Test
  void placesAreAsManyAsTheyAreAndComeBack() {
    Places places = new Places(2);
    assertTrue(places.take());
    assertTrue(places.take());
    assertFalse(places.take());
    assertFalse(places.take());
    places.giveBack();
    assertTrue(places.take());
  }
}
