package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Writes the checkpoint of a data directory: soon after any log went further, at once where
 * somebody must wait for it. Who comes while one is being written shares the next.
 *
 * <p><b>A full disk.</b> Retention makes room only after a checkpoint, so a checkpoint must be
 * possible on a full disk: the {@link Reserve} is given up for it.
 *
 * <p>Any thread. A failed force is final for the data directory, as everywhere.
 */
final class Checkpointer implements LogContext.Checkpoints {
  /** Enough for the catalog of some thousand topics too: deleting one rewrites it. */
  private static final int LEAST_RESERVE_BYTES = 1 << 20;

  private static final int ENTRY_BYTES = 72;

  private final CheckpointFile file;
  private final Reserve reserve;
  private final Supplier<Collection<OpenLog>> logs;
  private final Timers timers;
  private final Executor worker;
  private final long intervalNanos;
  private final BiConsumer<String, Throwable> onForceFailure;

  private final AtomicBoolean timerSet = new AtomicBoolean();
  private final AtomicLong requests = new AtomicLong();

  // Guarded by this.
  private Map<PartitionId, CheckpointEntry> entries;
  private long coveredRequests;
  private boolean ended;

  /** Written once, under this. */
  private volatile boolean endedClean;

  /**
   * @param entries of the checkpoint that was found
   * @param logs those that are open at the moment
   * @param onForceFailure told what could not be forced
   */
  Checkpointer(
      CheckpointFile file,
      Reserve reserve,
      Map<PartitionId, CheckpointEntry> entries,
      Supplier<Collection<OpenLog>> logs,
      Timers timers,
      Executor worker,
      long intervalMs,
      BiConsumer<String, Throwable> onForceFailure) {
    this.file = file;
    this.reserve = reserve;
    this.entries = new HashMap<>(entries);
    this.logs = logs;
    this.timers = timers;
    this.worker = worker;
    this.intervalNanos = intervalMs * 1_000_000;
    this.onForceFailure = onForceFailure;
  }

  /** What is known of a log that is not open. */
  synchronized Optional<CheckpointEntry> entry(PartitionId id) {
    return Optional.ofNullable(entries.get(id));
  }

  /** Logs of which something is known. */
  synchronized Set<PartitionId> ids() {
    return Set.copyOf(entries.keySet());
  }

  /** Of a log that is being closed: what the next checkpoint says of it. */
  synchronized void remember(CheckpointEntry entry) {
    entries.put(entry.id(), entry);
  }

  synchronized void forgetTopic(UUID topicId) {
    entries.keySet().removeIf(id -> id.topicId().equals(topicId));
  }

  @Override
  public void soon() {
    if (!timerSet.get() && timerSet.compareAndSet(false, true)) {
      timers.after(intervalNanos, () -> worker.execute(this::writeInBackground));
    }
  }

  private void writeInBackground() {
    timerSet.set(false);
    synchronized (this) {
      if (ended) {
        return;
      }
    }
    try {
      write();
    } catch (IOException e) {
      System.getLogger(Checkpointer.class.getName())
          .log(System.Logger.Level.WARNING, "no checkpoint was written: {0}", e.getMessage());
      if (e instanceof DiskFullException || e instanceof OpenFileLimitException) {
        soon();
      }
    }
  }

  @Override
  public void write() throws IOException {
    long request = requests.incrementAndGet();
    synchronized (this) {
      if (coveredRequests >= request) {
        return;
      }
      if (ended) {
        throw new IOException("nothing is written any more in this data directory");
      }
      long covered = requests.get();
      write(false);
      coveredRequests = covered;
    }
  }

  /**
   * The last one; nothing is written after it.
   *
   * @param clean every log was forced and closed
   */
  synchronized void writeLast(boolean clean) throws IOException {
    write(clean);
    ended = true;
    endedClean = clean;
  }

  boolean hasEndedClean() {
    return endedClean;
  }

  /** Nothing is written any more. */
  synchronized void end() {
    ended = true;
  }

  /** Takes away the mark of a clean end before anything else is written. */
  synchronized void begin(boolean wasClean) throws IOException {
    if (wasClean) {
      write(false);
    }
    keepReserve();
  }

  private void write(boolean clean) throws IOException {
    Map<PartitionId, CheckpointEntry> now = new HashMap<>(entries);
    Collection<OpenLog> open = logs.get();
    for (OpenLog log : open) {
      log.checkpointEntry().ifPresent(entry -> now.put(entry.id(), entry));
    }
    try {
      reserve.runMakingRoom(() -> reserve.run(() -> file.write(now.values(), clean)));
    } catch (DiskFullException | OpenFileLimitException e) {
      throw e;
    } catch (IOException e) {
      onForceFailure.accept("checkpoint", e);
      throw e;
    }
    entries = now;
    for (OpenLog log : open) {
      CheckpointEntry written = now.get(log.id());
      if (written != null) {
        log.checkpointed(written);
      }
    }
    keepReserve();
  }

  private void keepReserve() {
    reserve.keep(Math.max(LEAST_RESERVE_BYTES, 2 * ENTRY_BYTES * entries.size()));
  }
}
