package io.minikafka.client;

import io.minikafka.Timers;
import java.util.concurrent.CompletableFuture;

/**
 * How the heartbeat thread waits: for work, for a time, for an answer; and how it is made to stop.
 * Waiting is the heartbeat thread's alone; {@link #stop} and the bell are for any thread.
 */
final class MemberWait {
  private static final Stopped STOPPED = new Stopped();

  private final Timers timers;
  private final Doorbell bell;
  private volatile boolean stopping;

  MemberWait(Timers timers, Doorbell bell) {
    this.timers = timers;
    this.bell = bell;
  }

  /** Unwinds the heartbeat thread when it is to stop. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped() {
      super(null, null, false, false);
    }
  }

  void stop() {
    stopping = true;
    bell.ring();
  }

  boolean isStopping() {
    return stopping;
  }

  /** Until the bell rings. */
  void forWork() {
    bell.await(Long.MAX_VALUE);
  }

  /** Until the bell rings, at most until then. */
  void until(long deadlineNanos) {
    long leftNanos = deadlineNanos - timers.nanoTime();
    if (leftNanos > 0) {
      Timers.Timer alarm = timers.after(leftNanos, bell::ring);
      bell.await(Long.MAX_VALUE);
      alarm.cancel();
    }
  }

  /**
   * Until the answer is there.
   *
   * @throws MinikafkaException if it is a failure
   * @throws Stopped if this member is to stop
   */
  <T> T forAnswer(CompletableFuture<T> answer) {
    answer.whenComplete((result, thrown) -> bell.ring());
    while (!answer.isDone()) {
      if (stopping) {
        throw STOPPED;
      }
      forWork();
    }
    return result(answer);
  }

  /**
   * The same also when this member is to stop, but not for longer than this.
   *
   * @throws Stopped if the time is over
   */
  <T> T forAnswer(CompletableFuture<T> answer, long deadlineNanos) {
    answer.whenComplete((result, thrown) -> bell.ring());
    while (!answer.isDone()) {
      if (timers.nanoTime() - deadlineNanos >= 0) {
        throw STOPPED;
      }
      until(deadlineNanos);
    }
    return result(answer);
  }

  private static <T> T result(CompletableFuture<T> answer) {
    if (answer.isCompletedExceptionally()) {
      throw Failures.of(answer.exceptionNow());
    }
    return answer.resultNow();
  }
}
