package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Compacts the logs of a data directory, one at a time: so the memory for it is needed once, and
 * the disk is left to those who produce.
 *
 * <p><b>Life-cycle.</b> {@link #request} whenever a log may have become due; {@link #end} once.
 *
 * <p>Any thread; the work runs on the worker, a step at a time, with pauses if there is a bound on
 * bytes per second. A failure ends the compaction of that log until somebody asks again.
 */
final class Cleaner {
  // Constant after construction.
  private final Executor worker;
  private final Timers timers;
  private final EngineObserver observer;
  private final DirectorySettings settings;

  // Guarded by this.
  private final Set<LogCompactor> waiting = new LinkedHashSet<>();
  private @Nullable LogCompactor current;
  private boolean ended;

  /** The current compaction's alone; null when there is none. */
  private @Nullable Window window;

  Cleaner(Executor worker, Timers timers, EngineObserver observer, DirectorySettings settings) {
    this.worker = worker;
    this.timers = timers;
    this.observer = observer;
    this.settings = settings;
  }

  /** A log may have become due; returns at once. */
  void request(LogCompactor log) {
    synchronized (this) {
      if (ended || !waiting.add(log) || current != null) {
        return;
      }
      next();
    }
    worker.execute(this::begin);
  }

  /** By the holder of the lock. */
  private boolean next() {
    if (ended || waiting.isEmpty()) {
      current = null;
      window = null;
      return false;
    }
    current = waiting.iterator().next();
    waiting.remove(current);
    return true;
  }

  /** Nothing is begun any more; what is under way ends with its log. */
  synchronized void end() {
    ended = true;
    waiting.clear();
  }

  private synchronized @Nullable LogCompactor current() {
    return ended ? null : current;
  }

  private synchronized Window window() {
    Window present = window;
    if (present == null) {
      present = new Window();
      window = present;
    }
    return present;
  }

  private void begin() {
    LogCompactor log = current();
    boolean begun = false;
    try {
      begun = log != null && log.begin(window());
    } catch (IOException | RuntimeException | Error e) {
      failed(log, e);
    }
    if (begun) {
      worker.execute(this::step);
    } else {
      another();
    }
  }

  private void step() {
    LogCompactor log = current();
    long bytes = Compaction.DONE;
    try {
      bytes = log == null ? Compaction.DONE : log.step();
    } catch (IOException | RuntimeException | Error e) {
      failed(log, e);
    }
    if (bytes == Compaction.DONE) {
      another();
      return;
    }
    long bytesPerSecond = settings.compactionBytesPerSecond();
    if (bytesPerSecond <= 0 || bytes == 0) {
      worker.execute(this::step);
    } else {
      long pauseNanos = (long) (bytes * 1e9 / bytesPerSecond);
      timers.after(pauseNanos, () -> worker.execute(this::step));
    }
  }

  private void another() {
    synchronized (this) {
      if (!next()) {
        return;
      }
    }
    worker.execute(this::begin);
  }

  private void failed(@Nullable LogCompactor log, Throwable e) {
    if (log == null || log.log().isClosed()) {
      return;
    }
    boolean wants = e instanceof DiskFullException || e instanceof OpenFileLimitException;
    String reason = String.valueOf(e.getMessage());
    observer.onCompactionFailed(log.log().id(), wants, reason);
    if (!(e instanceof IOException)) {
      System.getLogger(Cleaner.class.getName())
          .log(System.Logger.Level.WARNING, "compacting " + log.log().id() + " failed", e);
    }
  }
}
