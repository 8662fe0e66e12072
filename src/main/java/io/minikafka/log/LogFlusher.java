package io.minikafka.log;

import io.minikafka.partition.FlushPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves the durable offset of a log, and sees to it that unforced bytes do not stay so for longer
 * than the flush policy allows.
 *
 * <p>{@link #force} by one thread at a time, which the lock enforces between a forcer and a close;
 * everything else by any thread.
 */
final class LogFlusher implements GroupCommitter.Forceable {
  private final OpenLog log;
  private final ReentrantLock lock = new ReentrantLock();

  /** Bytes that count against the bound of the data directory. */
  private final AtomicLong counted = new AtomicLong();

  private final AtomicBoolean timerSet = new AtomicBoolean();

  private final Gathering gathering = new Gathering();

  /** Guarded by {@link #lock}: names changed before this count are durable. */
  private long forcedNames;

  /** Guarded by {@link #lock}: sealed segments have become durable by the force under way. */
  private boolean forcedSealed;

  private final Runnable onSealedForced;

  /**
   * @param onSealedForced called when sealed segments have become durable
   */
  LogFlusher(OpenLog log, Runnable onSealedForced) {
    this.log = log;
    this.onSealedForced = onSealedForced;
  }

  /**
   * Asks for a force; returns at once.
   *
   * @param appends how many wait for it
   */
  void request(int appends) {
    log.context().committer().request(this, appends);
  }

  @Override
  public Gathering gathering() {
    return gathering;
  }

  /** Bytes were published. */
  void written(long bytes) {
    if (log.settings().flushPolicy() != FlushPolicy.NONE) {
      counted.addAndGet(bytes);
      log.context().unflushed().add(bytes);
      if (log.context().unflushed().exceeded()) {
        // Whoever crosses the bound brings the directory below it again.
        request(1);
      }
    }
    setTimer();
  }

  /** One timer a log: set by the first unforced byte after the last one went off. */
  void setTimer() {
    if (!timerSet.get() && timerSet.compareAndSet(false, true)) {
      long afterMs = log.context().settings().dirtyForceIntervalMs();
      if (log.settings().flushPolicy() == FlushPolicy.INTERVAL) {
        afterMs = Math.min(afterMs, log.settings().flushIntervalMs());
      }
      log.context().timers().after(afterMs * 1_000_000, this::onTimer);
    }
  }

  private void onTimer() {
    timerSet.set(false);
    if (isDirty() && !log.isClosed()) {
      request(1);
    }
  }

  private boolean isDirty() {
    LogState now = log.state();
    return now.durable() < now.end();
  }

  @Override
  public void force() throws IOException {
    long durable;
    boolean sealed;
    lock.lock();
    try {
      LogState taken = log.state();
      if (log.isClosed() || taken.isOffline()) {
        return;
      }
      forcedSealed = false;
      durable = forceLocked();
      sealed = forcedSealed;
    } finally {
      lock.unlock();
    }
    tell(durable);
    if (sealed) {
      onSealedForced.run();
    }
    log.context().checkpoints().soon();
  }

  /** Without a lock held. */
  void tell(long durable) {
    if (durable >= 0) {
      log.listener().onDurable(durable);
    }
  }

  /**
   * The last force of a log: nothing is written to it any more.
   *
   * @param thenClosed runs under the lock, so that no forcer touches the files afterwards
   * @return the new durable offset, or −1 if it did not rise
   */
  long forceAndClose(Runnable thenClosed) throws IOException {
    long durable = -1;
    lock.lock();
    try {
      if (!log.state().isOffline()) {
        durable = forceLocked();
      }
    } finally {
      thenClosed.run();
      lock.unlock();
      long never = counted.getAndSet(0);
      log.context().unflushed().remove(never);
    }
    return durable;
  }

  /**
   * Forces what no acknowledgement may overtake: sealed segments, then the directory, then the
   * active segment.
   *
   * @return the new durable offset, or −1 if it did not rise
   */
  private long forceLocked() throws IOException {
    // Read before the state: what is counted after it is not covered by this force.
    long covered = counted.get();
    LogState taken = log.state();
    long names = log.names();
    for (SealedSegment segment : unforced(taken)) {
      force(segment);
      segment.forced();
      forcedSealed = true;
      log.context().openSegments().used(segment);
    }
    if (names != forcedNames) {
      log.context().reserve().run(() -> log.disk().forceDirectory(log.directory()));
      forcedNames = names;
    }
    ActiveSegment active = taken.content().active();
    if (active == null || taken.durable() == taken.end()) {
      return -1;
    }
    if (taken.content().endPosition() > 0) {
      force(active);
    }
    log.update(now -> now.withDurable(taken.end()));
    counted.addAndGet(-covered);
    log.context().unflushed().remove(covered);
    return taken.end();
  }

  /** Work that nothing may be forced during. */
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Forces all, tells of it, and does something before anything else can be forced. By the holder
   * of the append lock, so that there is nothing that it does not know of.
   */
  <T> T afterForcingAll(Work<T> work) throws IOException {
    lock.lock();
    try {
      if (!log.state().isOffline()) {
        long[] durable = {-1};
        log.forcing(() -> durable[0] = forceLocked());
        tell(durable[0]);
      }
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  private static List<SealedSegment> unforced(LogState taken) {
    List<SealedSegment> sealed = taken.content().sealed();
    int from = sealed.size();
    while (from > 0 && !sealed.get(from - 1).isForced()) {
      from--;
    }
    return from == sealed.size() ? List.of() : new ArrayList<>(sealed.subList(from, sealed.size()));
  }

  private static void force(Segment segment) throws IOException {
    var file = segment.file().lease();
    try {
      file.force();
    } finally {
      segment.file().unlease();
    }
  }

  @Override
  public String toString() {
    return log.id().toString();
  }
}
