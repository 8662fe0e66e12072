package io.minikafka.coordinator;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way to the one who handles them: in the order they came, in bursts, and no burst
 * before the one before it has ended. So the handler needs no lock, whichever threads it runs on.
 *
 * <p>Each event carries the time it was posted. What is handled late because a burst took long is
 * judged by that time: a sign of life counts from when it came.
 *
 * <p>{@link #post}: any thread, never blocks. Bounded by whoever posts.
 *
 * @param <E> what an event is
 */
final class Mailbox<E> {
  private final Executor worker;
  private final LongSupplier nanoTime;
  private final Handler<E> handler;

  private final Queue<Posted<E>> events = new ConcurrentLinkedQueue<>();

  /**
   * Events posted and not yet dealt with; who raises it from 0 starts the handler. An event stands
   * in the queue before it is counted here.
   */
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * @param atNanos when it was posted, on the monotonic clock
   */
  record Posted<E>(E event, long atNanos) {}

  /** Deals with events. */
  interface Handler<E> {
    /**
     * Handles some of the events that wait, at least one.
     *
     * @param ended to be run once, on any thread, when the next burst may begin
     */
    void handle(Burst<E> burst, Runnable ended);
  }

  /** The events of the moment. For the handler, until it says that the burst has ended. */
  static final class Burst<E> {
    private final Mailbox<E> from;
    private int left;
    private int taken;

    private Burst(Mailbox<E> from) {
      this.from = from;
      this.left = from.pending.get();
    }

    /** The next event; null if none is left. */
    @Nullable Posted<E> next() {
      if (left == 0) {
        return null;
      }
      left--;
      taken++;
      return from.events.remove();
    }
  }

  /**
   * @param worker runs the handler, which may block there
   */
  Mailbox(Executor worker, LongSupplier nanoTime, Handler<E> handler) {
    this.worker = worker;
    this.nanoTime = nanoTime;
    this.handler = handler;
  }

  void post(E event) {
    events.add(new Posted<>(event, nanoTime.getAsLong()));
    if (pending.getAndIncrement() == 0) {
      handOver();
    }
  }

  /** Events that wait, or are being handled. */
  int depth() {
    return pending.get();
  }

  private void handOver() {
    try {
      worker.execute(this::handle);
    } catch (RejectedExecutionException e) {
      // The worker has stopped and will not come back: better to block here than to answer never.
      handle();
    }
  }

  private void handle() {
    Burst<E> burst = new Burst<>(this);
    handler.handle(burst, () -> ended(burst));
  }

  private void ended(Burst<E> burst) {
    if (pending.addAndGet(-burst.taken) > 0) {
      handOver();
    }
  }
}
