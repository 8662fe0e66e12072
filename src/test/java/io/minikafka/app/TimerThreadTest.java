package io.minikafka.app;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Timers;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerThreadTest {
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final TimerThread timers = new TimerThread(this::start);

  private Thread start(Runnable work) {
    Thread started = NodeThreads.daemon("t", work);
    thread.set(started);
    return started;
  }

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

  /** As fetches at the end of a log do it: each waits, and is answered. */
  @Test
  void waitsThatAreCancelledWakeNobody() throws Exception {
    timers.after(SECONDS.toNanos(30), () -> {}).cancel();
    long before = waits();
    long began = timers.nanoTime();
    for (int i = 0; i < 500; i++) {
      timers.after(SECONDS.toNanos(30), () -> {}).cancel();
      LockSupport.parkNanos(MICROSECONDS.toNanos(50));
    }
    long beats = NANOSECONDS.toMillis(timers.nanoTime() - began) / 50;
    long woken = waits() - before;
    assertTrue(woken <= beats + 3, () -> woken + " times in " + beats + " beats");
  }

  @Test
  void withoutNewWaitsItSleepsUntilTheNextEnds() throws Exception {
    CompletableFuture<Void> first = new CompletableFuture<>();
    timers.after(MILLISECONDS.toNanos(200), () -> first.complete(null));
    first.get(30, SECONDS);
    CompletableFuture<Long> second = new CompletableFuture<>();
    timers.after(MILLISECONDS.toNanos(1000), () -> second.complete(waits()));
    long before = waits();
    long woken = second.get(30, SECONDS) - before;
    assertTrue(woken <= 6, () -> woken + " times");
  }

  private long waits() {
    long id = Objects.requireNonNull(thread.get()).threadId();
    return ManagementFactory.getThreadMXBean().getThreadInfo(id).getWaitedCount();
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
