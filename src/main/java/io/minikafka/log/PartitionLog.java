package io.minikafka.log;

import io.minikafka.Pressure;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.DeletionOutlook;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.LogCheck;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.SegmentDescription;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The log of one partition in its directory.
 *
 * <p><b>Life-cycle.</b> Opened by {@link LogDirectory} over what recovery found; files and
 * directory are made by the first append. {@link #close} forces what can be forced; bytes that a
 * reader still holds stay readable.
 *
 * <p><b>Threads.</b> As {@link PartitionStore} says. The writer moves the end, the flusher the
 * durable offset, the trimmer the start, each on its own; readers take the published state.
 *
 * <p><b>Errors.</b> A failed append leaves the log as it was, and in a new epoch if bytes had to be
 * cut. If they cannot be cut the log is offline; if a force fails the whole data directory is.
 */
final class PartitionLog implements PartitionStore {
  private final OpenLog log;
  private final LogWriter writer;
  private final LogFlusher flusher;
  private final LogReader reader;
  private final LogTimes times;
  private final LogTrimmer trimmer;
  private final LogCompactor compactor;
  private final LogRepair repair;
  private final Runnable onClosed;

  /** Retention has been handed to the worker. */
  private final AtomicBoolean retaining = new AtomicBoolean();

  /**
   * @param onClosed runs once, when all files are closed or left to their readers
   */
  PartitionLog(OpenLog log, Runnable onClosed) {
    this.log = log;
    this.writer = new LogWriter(log);
    this.flusher = new LogFlusher(log, this::compactSoon);
    this.compactor = new LogCompactor(log);
    this.repair = new LogRepair(log, writer, flusher, compactor);
    this.reader = new LogReader(log);
    this.times = new LogTimes(log);
    this.trimmer = new LogTrimmer(log);
    this.onClosed = onClosed;
  }

  OpenLog openLog() {
    return log;
  }

  @Override
  public Snapshot snapshot() {
    return log.state().snapshot();
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return writer.mayBlock(bytes);
  }

  @Override
  public void append(List<StampedBatch> batches) throws IOException {
    List<SealedSegment> sealed = writer.append(batches);
    long bytes = 0;
    for (StampedBatch batch : batches) {
      bytes += batch.bytes();
    }
    flusher.written(bytes);
    rolled(sealed);
    if (trimmer.isDue()) {
      retainSoon();
    }
  }

  private void retainSoon() {
    if (retaining.compareAndSet(false, true)) {
      log.context()
          .worker()
          .execute(
              () -> {
                retaining.set(false);
                retain();
              });
    }
  }

  /** What a roll leaves to be done can wait for the worker. */
  private void rolled(List<SealedSegment> sealed) {
    for (SealedSegment segment : sealed) {
      log.context().observer().onRoll(log.id(), segment.nextOffset());
    }
    if (!sealed.isEmpty()) {
      log.context()
          .worker()
          .execute(
              () -> {
                for (SealedSegment segment : sealed) {
                  segment.saveIndexes();
                  log.used(segment);
                }
              });
    }
  }

  private void retain() {
    try {
      if (trimmer.announce(log.context().wallClock().millis())) {
        log.context().checkpoints().write();
        trimmer.apply();
      }
    } catch (IOException e) {
      // The next look comes with the next roll or with the timer.
      log.context()
          .observer()
          .onUpkeepFailed(log.id(), "retention", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void flush() {
    flush(1);
  }

  @Override
  public void flush(int appends) {
    flusher.request(appends);
  }

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    return reader.read(offset, maxBytes, atLeastOne, limitOffset);
  }

  @Override
  public Optional<ReadResult> readHere(
      long offset, int maxBytes, boolean atLeastOne, long limitOffset) throws IOException {
    return reader.readHere(offset, maxBytes, atLeastOne, limitOffset);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return reader.mayBlock(offset, maxBytes);
  }

  @Override
  public TimeLookup offsetForTime(long timestamp, long limitOffset) throws IOException {
    return times.firstAtOrAfter(timestamp, limitOffset);
  }

  @Override
  public TimeLookup latestTimestamp(long limitOffset) throws IOException {
    return times.latest(limitOffset);
  }

  @Override
  public AppendTimeLookup appendTime(long offset, long limitOffset) throws IOException {
    return times.appended(offset, limitOffset);
  }

  @Override
  public DeletionOutlook deletionOutlook(long offset) throws IOException {
    return trimmer.outlook(offset);
  }

  @Override
  public void trimTo(long offset) throws IOException {
    trimmer.trimTo(offset);
    try {
      if (writer.rollEmptied()) {
        trimmer.apply();
      }
    } catch (DiskFullException | OpenFileLimitException e) {
      // The records are gone for readers; their bytes go with the next roll.
      System.getLogger(PartitionLog.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the deleted records of {0} keep their room for now: {1}",
              log.id(),
              e.getMessage());
    }
  }

  @Override
  public Pressure pressure() {
    return log.settings().flushPolicy() == FlushPolicy.NONE
        ? Pressure.NONE
        : log.context().unflushed();
  }

  @Override
  public void configure(StoreSettings settings) {
    StoreSettings before = log.settings();
    log.configure(settings);
    LogState now = log.state();
    if (now.durable() < now.end() && !before.equals(settings)) {
      // What waits for a timer of the old policy need not wait for it.
      flusher.request(1);
    }
  }

  @Override
  public void listen(Listener listener) {
    log.listen(listener);
  }

  /**
   * Rolls by age, and finds out whether retention has anything to give up.
   *
   * @return whether {@link #applyTrim} is to be called once a checkpoint has been forced
   */
  boolean housekeep(long nowMs) throws IOException {
    List<SealedSegment> sealed = writer.rollAged(nowMs);
    if (!sealed.isEmpty()) {
      rolled(sealed);
      flusher.request(1);
    }
    return trimmer.announce(nowMs);
  }

  /** Has it compacted, if it is to be and enough has come; returns at once. */
  void compactSoon() {
    if (log.settings().cleanup().compacts()) {
      log.context().cleaner().request(compactor);
    }
  }

  void applyTrim() throws IOException {
    trimmer.apply();
  }

  @Override
  public Optional<LogStats> stats() {
    LogState now = log.state();
    return Optional.of(new LogStats(now.content().bytes(), now.content().segments()));
  }

  @Override
  public List<DamagedRange> damage() {
    return log.state().damage().ranges().stream().map(DamageRange::described).toList();
  }

  @Override
  public List<SegmentDescription> segments(long from, int most) throws IOException {
    return SegmentListing.of(log, from, most, compactor.cleanTo());
  }

  @Override
  public RepairResult repair(RepairAction action, long offset, boolean validateOnly)
      throws IOException {
    return repair.run(action, offset, validateOnly);
  }

  @Override
  public LogCheck check() {
    return new LogScrub(log);
  }

  @Override
  public void close() throws IOException {
    if (log.isClosed()) {
      return;
    }
    try {
      flusher.tell(writer.lastly(() -> flusher.forceAndClose(log::closed)));
    } catch (IOException e) {
      log.context().committer().fail(log.id().toString(), e);
      throw e;
    } finally {
      compactor.stop();
      log.damage().end();
      try {
        letGo();
      } finally {
        onClosed.run();
      }
    }
  }

  private void letGo() {
    LogState last = log.state();
    ActiveSegment active = last.content().active();
    if (active != null) {
      if (!last.isOffline()) {
        active.indexes().finishTimes();
        log.indexFiles().save(active, active.indexes());
      }
      active.file().retire();
    }
    for (SealedSegment segment : last.content().sealed()) {
      log.context().openSegments().forget(segment);
      segment.file().retire();
    }
  }
}
