package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes logs of one data directory durable, each with as few forces as it can: a request that comes
 * while its log is being forced is answered by one more force afterwards, together with all others
 * that came meanwhile. When nothing is going on a request is taken up at once; under load a force
 * waits a moment for those whom the last one answered ({@link Gathering}).
 *
 * <p><b>Threads.</b> {@link #request} from any, never blocks. The work is done by at most {@code
 * forcers} tasks at a time on the executor; one log is never forced by two at once.
 *
 * <p><b>Errors.</b> A failed force is final for the whole data directory: nothing is retried or
 * forced any more, since the kernel may have dropped the pages and would report success. Only
 * having no file descriptors left is no such failure; the log is then tried again.
 */
final class GroupCommitter {
  /** What is made durable. */
  interface Forceable {
    /**
     * Makes durable what was written before the call and tells whom it concerns.
     *
     * @throws OpenFileLimitException nothing was tried; the call may be repeated
     */
    void force() throws IOException;

    /** Its own, for the committer alone. */
    Gathering gathering();
  }

  private final Executor executor;
  private final int forcers;
  private final Timers timers;
  private final EngineObserver observer;
  private final Consumer<Forceable> retryLater;
  private final BiConsumer<String, Throwable> onFailure;

  // Guarded by this.
  private final Set<Forceable> queue = new LinkedHashSet<>();
  private final Set<Forceable> underWay = new HashSet<>();
  private int running;
  private boolean failed;

  /** Whether somebody looks at those that gather, and when. */
  private boolean lookSet;

  private long lookNanos;

  /**
   * @param retryLater asked to request a log again after a while
   * @param onFailure called once, with what could not be forced and why
   */
  GroupCommitter(
      Executor executor,
      int forcers,
      Timers timers,
      EngineObserver observer,
      Consumer<Forceable> retryLater,
      BiConsumer<String, Throwable> onFailure) {
    this.executor = executor;
    this.forcers = forcers;
    this.timers = timers;
    this.observer = observer;
    this.retryLater = retryLater;
    this.onFailure = onFailure;
  }

  /**
   * Asks that a log be forced; whatever was written before the call is covered.
   *
   * @param appends how many wait for it
   */
  void request(Forceable log, int appends) {
    synchronized (this) {
      if (failed) {
        return;
      }
      long now = timers.nanoTime();
      Gathering gathering = log.gathering();
      boolean isAwaited = !queue.add(log) && gathering.isComplete(now);
      gathering.come(appends);
      if (isAwaited || running >= forcers || underWay.contains(log)) {
        // Somebody is or will be at work who looks at the queue before it ends.
        return;
      }
      if (!gathering.isComplete(now)) {
        lookAt(gathering.untilNanos());
        return;
      }
      running++;
    }
    executor.execute(this::drive);
  }

  /** Sees to it that somebody looks again no later than that. */
  private void lookAt(long untilNanos) {
    if (!lookSet || untilNanos - lookNanos < 0) {
      lookSet = true;
      lookNanos = untilNanos;
      timers.after(Math.max(0, untilNanos - timers.nanoTime()), this::look);
    }
  }

  private void look() {
    synchronized (this) {
      lookSet = false;
      if (queue.isEmpty() || running >= forcers) {
        // Who is at work looks before it ends.
        return;
      }
      running++;
    }
    executor.execute(this::drive);
  }

  /** Whether a force has failed. */
  synchronized boolean hasFailed() {
    return failed;
  }

  private void drive() {
    boolean more = true;
    while (more) {
      more = step();
    }
  }

  /**
   * Forces the log that has waited longest.
   *
   * @return false if there was none; the caller is then no forcer any more
   */
  private boolean step() {
    Forceable log = take();
    if (log == null) {
      return false;
    }
    long began = timers.nanoTime();
    try {
      log.force();
      observer.onForce(1, timers.nanoTime() - began);
    } catch (OpenFileLimitException e) {
      retryLater.accept(log);
    } catch (IOException | RuntimeException | Error e) {
      fail(log.toString(), e);
    } finally {
      synchronized (this) {
        underWay.remove(log);
        long now = timers.nanoTime();
        log.gathering().end(now, now - began);
      }
    }
    return true;
  }

  private synchronized @Nullable Forceable take() {
    long now = timers.nanoTime();
    for (Forceable log : queue) {
      if (underWay.contains(log)) {
        continue;
      }
      Gathering gathering = log.gathering();
      if (gathering.isComplete(now)) {
        queue.remove(log);
        underWay.add(log);
        gathering.begin();
        return log;
      }
      lookAt(gathering.untilNanos());
    }
    running--;
    return null;
  }

  /**
   * A force that failed elsewhere counts the same.
   *
   * @param what of which the force failed
   */
  void fail(String what, Throwable cause) {
    synchronized (this) {
      if (failed) {
        return;
      }
      failed = true;
      queue.clear();
    }
    onFailure.accept(what, cause);
  }
}
