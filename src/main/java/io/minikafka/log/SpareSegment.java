package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The empty file that will be a log's next segment, made ahead on the worker so that a roll is a
 * rename. It is not held open: a log needs one descriptor only.
 *
 * <p>Any thread; {@link #take} by the appender.
 */
final class SpareSegment {
  private enum Phase {
    NONE,
    BEING_MADE,
    READY
  }

  private final OpenLog log;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NONE);

  SpareSegment(OpenLog log) {
    this.log = log;
  }

  boolean isReady() {
    return phase.get() == Phase.READY;
  }

  /** Has it made on the worker, unless it is there. */
  void makeSoon() {
    if (phase.get() == Phase.NONE) {
      log.context().worker().execute(this::make);
    }
  }

  /** Makes it, unless it is there or being made; blocks. Failure shows at the roll. */
  void make() {
    if (log.isClosed() || !phase.compareAndSet(Phase.NONE, Phase.BEING_MADE)) {
      return;
    }
    Phase reached = Phase.NONE;
    try {
      Path file = LogFiles.spare(log.directory());
      if (log.disk().exists(file) && !log.disk().isRegularFile(file)) {
        throw new IOException(file + " is no regular file");
      }
      log.disk().delete(file);
      log.disk().open(file, Disk.Mode.CREATE).close();
      reached = Phase.READY;
    } catch (IOException e) {
      System.getLogger(SpareSegment.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "no segment was made ahead for {0}: {1}",
              log.id(),
              e.getMessage());
    } finally {
      phase.set(reached);
    }
  }

  /** Makes the file of a new segment, by renaming the spare if it is there; else this blocks. */
  DiskFile take(Path file) throws IOException {
    try {
      if (phase.compareAndSet(Phase.READY, Phase.BEING_MADE)) {
        try {
          log.disk().rename(LogFiles.spare(log.directory()), file);
          return openOrRemove(file);
        } finally {
          phase.set(Phase.NONE);
        }
      }
      return log.disk().open(file, Disk.Mode.CREATE);
    } finally {
      log.namesChanged();
    }
  }

  /** A file above the log end that is no segment would be taken for one by recovery. */
  private DiskFile openOrRemove(Path file) throws IOException {
    try {
      return log.disk().open(file, Disk.Mode.WRITE);
    } catch (IOException e) {
      try {
        log.disk().delete(file);
      } catch (IOException second) {
        log.goOffline("a new segment could neither be opened nor removed: " + second.getMessage());
      }
      throw e;
    }
  }
}
