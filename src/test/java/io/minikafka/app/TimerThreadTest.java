package io.minikafka.app;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerThreadTest {
  private final TimerThread timers = new TimerThread(work -> NodeThreads.daemon("t", work));

  @AfterEach
  void stop() {
    timers.stop();
  }

  @Test
  void workIsDoneNotEarlierThanAsked() throws Exception {
    long began = timers.nanoTime();
    CompletableFuture<Long> ran = new CompletableFuture<>();
    timers.after(MILLISECONDS.toNanos(20), () -> ran.complete(timers.nanoTime()));
    assertTrue(ran.get(30, SECONDS) - began >= MILLISECONDS.toNanos(20));
  }

  @Test
  void cancelledWorkIsNotDone() throws Exception {
    AtomicInteger done = new AtomicInteger();
    Timers.Timer cancelled = timers.after(MILLISECONDS.toNanos(20), done::incrementAndGet);
    cancelled.cancel();
    CompletableFuture<Void> later = new CompletableFuture<>();
    timers.after(MILLISECONDS.toNanos(21), () -> later.complete(null));
    later.get(30, SECONDS);
    assertEquals(0, done.get());
  }

  @Test
  void whatOneTimerThrowsHurtsNoOther() throws Exception {
    CompletableFuture<Void> ran = new CompletableFuture<>();
    timers.after(
        0,
        () -> {
          throw new IllegalStateException("by intent");
        });
    timers.after(MILLISECONDS.toNanos(1), () -> ran.complete(null));
    ran.get(30, SECONDS);
  }

  @Test
  void afterTheStopNothingRunsAndNothingFails() {
    timers.after(DAYS.toNanos(1), () -> {});
    timers.stop();
    timers.after(0, () -> {}).cancel();
  }
}
