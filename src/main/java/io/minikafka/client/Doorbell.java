package io.minikafka.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where the polling thread waits until something has come or somebody wants it back. */
final class Doorbell {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();

  // Guarded by lock.
  private boolean ringing;
  private boolean wakeup;

  /** Something has come. Any thread. */
  void ring() {
    lock.lock();
    try {
      ringing = true;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The polling thread is to come back. Any thread. */
  void wakeup() {
    lock.lock();
    try {
      wakeup = true;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * @throws WakeupException once for each time {@link #wakeup} was called since the last one
   */
  void throwIfWoken() {
    lock.lock();
    try {
      if (wakeup) {
        wakeup = false;
        throw new WakeupException();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for an answer that is certain to come: every question has a deadline of its own.
   *
   * @throws WakeupException if woken before
   * @throws MinikafkaException if the answer is one
   */
  <T> T await(CompletableFuture<T> answer) {
    answer.whenComplete((result, thrown) -> ring());
    while (!answer.isDone()) {
      throwIfWoken();
      await(Long.MAX_VALUE);
    }
    return Failures.await(answer);
  }

  /**
   * Waits for a ring (also one since the last wait) or a wake-up, at most so long. An interrupt
   * counts as a wake-up and stays set.
   */
  void await(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!ringing && !wakeup && left > 0) {
        left = rung.awaitNanos(left);
      }
      ringing = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      wakeup = true;
    } finally {
      lock.unlock();
    }
  }
}
