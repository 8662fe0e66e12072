package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * All logs of one data directory.
 *
 * <p><b>Life-cycle.</b> {@link #open} takes the lock of the directory, so that two brokers cannot
 * share it, and the mark of a clean end, so that it is true. Logs are opened one by one. {@link
 * #close}, after all logs were closed, marks the end clean if it was: then the next start reads
 * nothing.
 *
 * <p><b>Threads.</b> Any. Opening, closing and deleting block.
 *
 * <p><b>Errors.</b> A failed force takes every log offline, tells {@link Surroundings#fatal}, and
 * nothing is written any more; only a new process may try again.
 */
public final class LogDirectory implements PartitionStores {
  /** Without descriptors nothing was tried, and trying at once again would only spin. */
  private static final long RETRY_NANOS = 100_000_000;

  private static final String AFTER_A_FAILED_FORCE =
      "a force failed; only a new process may use the data directory";

  private final Path data;
  private final Disk disk;
  private final Disk.DiskLock lock;
  private final DirectorySettings settings;
  private final Surroundings around;
  private final LogContext context;
  private final Checkpointer checkpointer;
  private final Cleaner cleaner;
  private final Housekeeper housekeeper;
  private final LocalMeta meta;
  private final Reserve reserve;
  private final Strangers strangers;
  private final Recoverer recoverer;
  private final CleanEnd cleanEnd;

  private final ConcurrentHashMap<PartitionId, PartitionLog> logs = new ConcurrentHashMap<>();

  // Guarded by this.
  private final Set<PartitionId> reserved = new HashSet<>();

  /**
   * What a data directory needs from its surroundings.
   *
   * @param wallClock for retention and rolls by age
   * @param worker runs what may block, except forces
   * @param forcers runs forces; as many threads as {@link DirectorySettings#forcers}
   * @param fatal told once why the process must end: a force failed
   */
  public record Surroundings(
      Disk disk,
      InstantSource wallClock,
      Timers timers,
      Executor worker,
      Executor forcers,
      EngineObserver observer,
      Consumer<String> fatal) {}

  /**
   * Opens a data directory and creates it if need be.
   *
   * @throws io.minikafka.storage.AlreadyLockedException if another broker has it
   * @throws NewerVersionException if a newer broker wrote it; but for the lock nothing was touched
   * @throws IOException if it cannot be read or written
   */
  public static LogDirectory open(Path data, DirectorySettings settings, Surroundings around)
      throws IOException {
    Disk disk = around.disk();
    disk.createDirectories(data);
    Disk.DiskLock lock = disk.lock(LogFiles.lock(data));
    boolean opened = false;
    try {
      CheckpointFile file = new CheckpointFile(disk, data);
      CheckpointFile.Loaded loaded = file.load();
      forceNames(disk, data);
      for (String problem : loaded.problems()) {
        around.observer().onStranger(data.toString(), problem);
      }
      LogDirectory directory = new LogDirectory(data, settings, around, lock, file, loaded);
      directory.checkpointer.begin(loaded.clean());
      directory.housekeeper.start();
      opened = true;
      return directory;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /**
   * A process that was killed may have made or renamed what a power loss would still take back; we
   * are about to build on it.
   */
  private static void forceNames(Disk disk, Path data) throws IOException {
    Path meta = LogFiles.meta(data);
    disk.createDirectories(meta);
    disk.forceDirectory(meta);
    disk.forceDirectory(data);
    try {
      disk.forceDirectory(data.toAbsolutePath().resolveSibling("").normalize());
    } catch (AccessDeniedException e) {
      // Somebody else's directory, which we may pass through but not read.
    }
  }

  private LogDirectory(
      Path data,
      DirectorySettings settings,
      Surroundings around,
      Disk.DiskLock lock,
      CheckpointFile checkpointFile,
      CheckpointFile.Loaded loaded) {
    this.data = data;
    this.disk = around.disk();
    this.lock = lock;
    this.settings = settings;
    this.around = around;
    this.cleanEnd = new CleanEnd(disk, data, loaded.clean());
    this.reserve = new Reserve(disk, LogFiles.reserve(data));
    this.strangers = new Strangers(disk, data, around.observer());
    Quarantine quarantine =
        new Quarantine(disk, data, around.observer(), settings.quarantineBytes());
    this.recoverer =
        new Recovery(
            disk,
            data,
            around.observer(),
            strangers,
            quarantine,
            loaded.newest(),
            around.wallClock());
    GroupCommitter committer =
        new GroupCommitter(
            around.forcers(),
            settings.forcers(),
            around.timers(),
            around.observer(),
            this::retryForce,
            this::onForceFailed);
    this.meta = new LocalMeta(disk, LogFiles.meta(data), reserve, committer::fail);
    this.checkpointer =
        new Checkpointer(
            checkpointFile,
            reserve,
            loaded.entries(),
            this::openLogs,
            around.timers(),
            around.worker(),
            settings.checkpointIntervalMs(),
            committer::fail);
    this.cleaner = new Cleaner(around.worker(), around.timers(), around.observer(), settings);
    this.context =
        new LogContext(
            data,
            disk,
            around.wallClock(),
            around.timers(),
            around.worker(),
            around.observer(),
            settings,
            committer,
            checkpointer,
            cleaner,
            reserve,
            new OpenSegments(settings.openSealedSegments(), settings.indexCacheBytes()),
            new BatchWriter(),
            new Unflushed(settings.unflushedBytes()),
            new ByteClock(settings.hotBytes()),
            new Pins(),
            quarantine);
    this.housekeeper = new Housekeeper(context, logs::values);
  }

  @Override
  public MetaStore meta() {
    return meta;
  }

  @Override
  public PartitionStore open(PartitionId id, StoreSettings storeSettings) throws IOException {
    if (context.committer().hasFailed()) {
      throw new IOException(AFTER_A_FAILED_FORCE);
    }
    reserve(id);
    try {
      Optional<CheckpointEntry> known = checkpointer.entry(id);
      RecoveredLog recovered =
          recoverer.recover(id, known, cleanEnd.holdsFor(id), storeSettings.indexIntervalBytes());
      OpenLog open = new OpenLog(LogFiles.partition(data, id), recovered, storeSettings, context);
      PartitionLog log = new PartitionLog(open, () -> onClosed(open));
      logs.put(id, log);
      if (context.committer().hasFailed()) {
        // Whoever took the logs offline may not have seen this one.
        open.goOffline(AFTER_A_FAILED_FORCE);
      }
      around
          .observer()
          .onRecovered(
              id,
              recovered.end(),
              recovered.scannedBytes(),
              recovered.cutBytes(),
              recovered.damage().count());
      if (recovered.active().isPresent()) {
        checkpointer.soon();
        housekeeper.soon();
      }
      return log;
    } finally {
      release(id);
    }
  }

  private synchronized void reserve(PartitionId id) {
    if (logs.containsKey(id) || !reserved.add(id)) {
      throw new IllegalStateException("the log of " + id + " is already open");
    }
  }

  private synchronized void release(PartitionId id) {
    reserved.remove(id);
  }

  private void onClosed(OpenLog log) {
    cleanEnd.closed(log.id(), log.state().isOffline());
    log.checkpointEntry().ifPresent(checkpointer::remember);
    logs.remove(log.id());
  }

  private Collection<OpenLog> openLogs() {
    return logs.values().stream().map(PartitionLog::openLog).toList();
  }

  @Override
  public Optional<String> limitError(long partitions) {
    long sealed = settings.openSealedSegments();
    long reserved = settings.reservedDescriptors();
    if (partitions <= settings.descriptorLimit() - sealed - reserved) {
      return Optional.empty();
    }
    return Optional.of(
        "%d partitions need a file descriptor each, besides %d for sealed segments and %d for all else; the process may have %d files open (ulimit -n)"
            .formatted(partitions, sealed, reserved, settings.descriptorLimit()));
  }

  @Override
  public void deleteTopic(UUID topicId) throws IOException {
    if (logs.keySet().stream().anyMatch(id -> id.topicId().equals(topicId))) {
      throw new IllegalStateException("topic " + topicId + " has open logs");
    }
    checkpointer.forgetTopic(topicId);
    Path directory = LogFiles.topic(data, topicId);
    if (disk.exists(directory)) {
      deleteAll(directory);
      context.forceDirectory(data, "the deletion of topic " + topicId);
    }
    checkpointer.soon();
  }

  private void deleteAll(Path path) throws IOException {
    if (disk.isDirectory(path)) {
      for (String name : disk.list(path)) {
        deleteAll(path.resolve(name));
      }
    }
    disk.delete(path);
  }

  @Override
  public Set<UUID> topicsFound() throws IOException {
    Set<UUID> found = new HashSet<>();
    checkpointer.ids().forEach(id -> found.add(id.topicId()));
    for (String name : disk.list(data)) {
      LogFiles.topicId(name).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public void setAsideUnknown(Set<UUID> known) {
    strangers.lookThrough(known);
  }

  /** The directory as it stands. */
  public DirectoryStats directoryStats() {
    long bytes = 0;
    for (PartitionLog log : logs.values()) {
      bytes += log.openLog().state().content().bytes();
    }
    return new DirectoryStats(
        logs.size(),
        bytes,
        context.unflushed().bytes(),
        context.pins().bytes(),
        context.pins().slices(),
        context.openSegments().count());
  }

  private void retryForce(GroupCommitter.Forceable log) {
    around.timers().after(RETRY_NANOS, () -> context.committer().request(log, 1));
  }

  private void onForceFailed(String what, Throwable cause) {
    cleanEnd.spoil();
    checkpointer.end();
    String reason = "making %s durable failed: %s".formatted(what, cause);
    openLogs().forEach(log -> log.goOffline(reason));
    around.fatal().accept(reason);
  }

  @Override
  public void close() throws IOException {
    housekeeper.end();
    cleaner.end();
    try {
      if (context.committer().hasFailed()) {
        return;
      }
      checkpointer.writeLast(logs.isEmpty() && cleanEnd.mayBeMarked(checkpointer.ids()));
      if (!checkpointer.hasEndedClean()) {
        cleanEnd.sayItIsNot("a log is offline, or was not opened and closed");
      }
    } catch (IOException e) {
      cleanEnd.sayItIsNot(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      reserve.letGo();
      lock.close();
    }
  }

  /** Whether it was closed and its end marked clean. */
  public boolean hasEndedClean() {
    return checkpointer.hasEndedClean();
  }
}
