package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.storage.Disk;
import io.minikafka.storage.ForceFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What the logs of one data directory share.
 *
 * @param worker runs what may block
 * @param committer makes logs durable
 * @param checkpoints writes down what is known of all logs
 * @param cleaner compacts logs
 * @param quarantine for what repairs give up
 * @param reserve for what must get done when nothing is left
 */
record LogContext(
    Path data,
    Disk disk,
    InstantSource wallClock,
    Timers timers,
    Executor worker,
    EngineObserver observer,
    DirectorySettings settings,
    GroupCommitter committer,
    Checkpoints checkpoints,
    Cleaner cleaner,
    Reserve reserve,
    OpenSegments openSegments,
    BatchWriter batchWriter,
    Unflushed unflushed,
    ByteClock byteClock,
    Pins pins,
    Quarantine quarantine) {

  /**
   * Makes names durable. A failure is final for the data directory, as of any force; the call may
   * be repeated only if nothing was tried (see {@link Disk#forceNames}).
   *
   * @param what of which the names are
   */
  void forceDirectory(Path directory, String what) throws IOException {
    try {
      reserve.run(() -> disk.forceNames(directory));
    } catch (ForceFailedException e) {
      throw failed(what, e);
    }
  }

  /** As {@link Disk#createDirectories}, with the same care for what cannot be forced. */
  void createDirectories(Path directory, String what) throws IOException {
    try {
      disk.createDirectories(directory);
    } catch (ForceFailedException e) {
      throw failed(what, e);
    }
  }

  /** Whoever gets this must not take it for want of room, which could be tried again. */
  private IOException failed(String what, IOException cause) {
    committer.fail(what, cause);
    return new ForceFailedException(
        "making %s durable failed: %s".formatted(what, cause.getMessage()), cause);
  }

  /** Writes checkpoints of the whole data directory. Any thread. */
  interface Checkpoints {
    /** Some log went further: write one within the checkpoint interval. Never blocks. */
    void soon();

    /**
     * Writes one that covers every state published before the call; durable when this returns.
     *
     * @throws IOException nothing was written; if there was no room it may be tried again
     */
    void write() throws IOException;
  }
}
