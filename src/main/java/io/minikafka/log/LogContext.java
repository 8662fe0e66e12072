package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.storage.Disk;
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
    Pins pins) {

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
