package io.minikafka.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The compactions of one log, one after the other, and what they have seen.
 *
 * <p>Any thread; {@link #begin} and {@link #step} block. {@link #stop} waits for a step under way,
 * which ends early once the log is closed.
 */
final class LogCompactor {
  private final OpenLog log;
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock; null until it is needed. */
  private volatile @Nullable CompactionHistory history;

  // Guarded by lock.
  private Optional<Compaction> running = Optional.empty();
  private long beganNanos;
  private boolean stopped;

  LogCompactor(OpenLog log) {
    this.log = log;
  }

  OpenLog log() {
    return log;
  }

  /**
   * Begins a compaction if one is due.
   *
   * @param window for it alone, until it ends
   */
  boolean begin(Window window) throws IOException {
    lock.lock();
    try {
      if (stopped) {
        return false;
      }
      CompactionHistory known = history;
      if (known == null && log.settings().cleanup().compacts()) {
        Optional<CompactionHistory> found = load();
        if (found.isEmpty()) {
          tellUnreadable();
        }
        known = believed(found);
        history = known;
      }
      running = known == null ? Optional.empty() : Compaction.ifDue(log, known, window);
      beganNanos = log.context().timers().nanoTime();
      return running.isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** All below it was seen by a compaction; blocks. */
  long cleanTo() throws IOException {
    CompactionHistory known = history;
    return (known == null ? believed(load()) : known).cleanTo();
  }

  private void tellUnreadable() {
    log.context()
        .observer()
        .onStranger(
            LogFiles.compaction(log.directory()).toString(),
            "cannot be read as what its name says; tombstones stay longer");
  }

  private Optional<CompactionHistory> load() throws IOException {
    return CompactionFile.load(log.disk(), log.directory());
  }

  /** A history that reaches beyond the log is of another one. */
  private CompactionHistory believed(Optional<CompactionHistory> found) {
    return found
        .filter(history -> history.cleanTo() <= log.state().durable())
        .orElse(CompactionHistory.NONE);
  }

  /**
   * @return bytes that were read and written, or {@link Compaction#DONE}
   */
  long step() throws IOException {
    lock.lock();
    try {
      if (stopped || running.isEmpty()) {
        return Compaction.DONE;
      }
      Compaction compaction = running.get();
      boolean goesOn = false;
      try {
        long bytes = compaction.step();
        goesOn = bytes != Compaction.DONE;
        if (!goesOn) {
          tell(compaction);
        }
        return bytes;
      } finally {
        history = compaction.history();
        if (!goesOn) {
          running = Optional.empty();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void tell(Compaction compaction) {
    log.context()
        .observer()
        .onCompacted(
            log.id(),
            compaction.bytesBefore(),
            compaction.bytesAfter(),
            compaction.removedRecords(),
            log.context().timers().nanoTime() - beganNanos);
  }

  /** Work on the segments, which no compaction may disturb. */
  interface Exclusive<T> {
    T run() throws IOException;
  }

  /**
   * Does something while no compaction is under way; one that was begins anew later.
   *
   * @param ended what is answered if the log is closed
   */
  <T> T exclusively(T ended, Exclusive<T> work) throws IOException {
    lock.lock();
    try {
      if (stopped) {
        return ended;
      }
      running = Optional.empty();
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Within {@link #exclusively}: from now on no compaction has seen anything, because segments that
   * none could look into can be read again.
   */
  void forget() throws IOException {
    log.forcing(
        () -> {
          Path file = LogFiles.compaction(log.directory());
          if (log.disk().exists(file)) {
            log.disk().delete(file);
            log.disk().forceDirectory(log.directory());
          }
        });
    history = CompactionHistory.NONE;
  }

  /** Nothing of the log's files is touched after this. The log is closed already. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      running = Optional.empty();
    } finally {
      lock.unlock();
    }
  }
}
