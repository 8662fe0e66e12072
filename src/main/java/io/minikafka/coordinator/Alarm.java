package io.minikafka.coordinator;

import io.minikafka.Timers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Rings once at a time, which may be changed. One thread at a time. */
final class Alarm {
  private final Timers timers;
  private final Runnable ring;

  private long atMs = Long.MAX_VALUE;
  private Timers.@Nullable Timer timer;

  /**
   * @param ring on the timer's thread: short, never blocks
   */
  Alarm(Timers timers, Runnable ring) {
    this.timers = timers;
    this.ring = ring;
  }

  /**
   * @param at when to ring, in ms of the clock that says {@code now}; {@link Long#MAX_VALUE} never
   */
  void set(long at, long now) {
    if (at == atMs) {
      return;
    }
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    atMs = at;
    if (at != Long.MAX_VALUE) {
      timer = timers.after(TimeUnit.MILLISECONDS.toNanos(Math.max(0, at - now)), ring);
    }
  }

  /** It has rung: the same time may be set again. */
  void rang() {
    atMs = Long.MAX_VALUE;
    timer = null;
  }
}
