package io.minikafka.ops;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what the engine reports.
 *
 * <p>Any thread; never blocks, and allocates nothing for what happens once a batch or a request:
 * every meter is looked up when this is made.
 */
public final class MetricsObserver implements EngineObserver {
  private final Meters meters;
  private final Counter producedRecords;
  private final Counter producedBatches;
  private final Counter producedBytes;
  private final Timer write;
  private final Counter writeStalls;
  private final Counter writesWithoutRoom;
  private final Counter writesFailed;
  private final Timer force;
  private final Counter forcedLogs;
  private final Timer acknowledgedWritten;
  private final Timer acknowledgedFlushed;
  private final Counter fetchedRecords;
  private final Counter fetchedBytes;
  private final RequestMeters requests;
  private final GroupMeters groups;
  private final Counter connectionsOpened;
  private final Counter rolls;
  private final Counter trims;
  private final Counter trimmedBytes;
  private final Timer compaction;
  private final Counter compactionInputBytes;
  private final Counter compactionOutputBytes;
  private final Counter compactionRemovedRecords;
  private final Counter compactionsWithoutRoom;
  private final Counter compactionsFailed;
  private final Counter damagedRanges;
  private final Counter repairs;
  private final Counter lostOffsets;
  private final Counter strangers;

  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong httpConnections = new AtomicLong();
  private final AtomicLong scannedBytes = new AtomicLong();
  private final AtomicLong cutBytes = new AtomicLong();

  /** By reason, of which there are a fixed few. */
  private final Map<String, Counter> refused = new ConcurrentHashMap<>();

  /** The same of the HTTP port. */
  private final Map<String, Counter> httpRefused = new ConcurrentHashMap<>();

  public MetricsObserver(MeterRegistry registry) {
    meters = new Meters(registry);
    producedRecords = meters.counter(MeterNames.PRODUCED_RECORDS);
    producedBatches = meters.counter(MeterNames.PRODUCED_BATCHES);
    producedBytes = meters.counter(MeterNames.PRODUCED_BYTES);
    write = meters.timer(MeterNames.WRITE);
    writeStalls = meters.counter(MeterNames.WRITE_STALLS);
    writesWithoutRoom = meters.counter(MeterNames.WRITE_FAILURES, "no_room");
    writesFailed = meters.counter(MeterNames.WRITE_FAILURES, "error");
    force = meters.timer(MeterNames.FORCE);
    forcedLogs = meters.counter(MeterNames.FORCED_LOGS);
    acknowledgedWritten = meters.timer(MeterNames.ACKNOWLEDGEMENT, "written");
    acknowledgedFlushed = meters.timer(MeterNames.ACKNOWLEDGEMENT, "flushed");
    fetchedRecords = meters.counter(MeterNames.FETCHED_RECORDS);
    fetchedBytes = meters.counter(MeterNames.FETCHED_BYTES);
    requests = new RequestMeters(meters);
    groups = new GroupMeters(meters);
    connectionsOpened = meters.counter(MeterNames.CONNECTIONS_OPENED);
    rolls = meters.counter(MeterNames.ROLLS);
    trims = meters.counter(MeterNames.TRIMS);
    trimmedBytes = meters.counter(MeterNames.TRIMMED_BYTES);
    compaction = meters.timer(MeterNames.COMPACTION);
    compactionInputBytes = meters.counter(MeterNames.COMPACTION_INPUT_BYTES);
    compactionOutputBytes = meters.counter(MeterNames.COMPACTION_OUTPUT_BYTES);
    compactionRemovedRecords = meters.counter(MeterNames.COMPACTION_REMOVED_RECORDS);
    compactionsWithoutRoom = meters.counter(MeterNames.COMPACTION_FAILURES, "no_room");
    compactionsFailed = meters.counter(MeterNames.COMPACTION_FAILURES, "error");
    damagedRanges = meters.counter(MeterNames.DAMAGED_RANGES);
    repairs = meters.counter(MeterNames.REPAIRS);
    lostOffsets = meters.counter(MeterNames.REPAIRED_OFFSETS);
    strangers = meters.counter(MeterNames.STRANGERS);
    meters.gauge(MeterNames.CONNECTIONS, connections::get);
    meters.gauge(MeterNames.HTTP_CONNECTIONS, httpConnections::get);
    meters.gauge(MeterNames.RECOVERY_SCANNED_BYTES, scannedBytes::get);
    meters.gauge(MeterNames.RECOVERY_CUT_BYTES, cutBytes::get);
  }

  @Override
  public void onWrite(PartitionId partition, int batches, long records, long bytes, long nanos) {
    producedBatches.increment(batches);
    producedRecords.increment(records);
    producedBytes.increment(bytes);
    write.record(nanos, NANOSECONDS);
  }

  @Override
  public void onWriteStalled(PartitionId partition, long nanos) {
    writeStalls.increment();
  }

  @Override
  public void onWriteFailed(PartitionId partition, boolean full, String reason) {
    (full ? writesWithoutRoom : writesFailed).increment();
  }

  @Override
  public void onForce(int logs, long nanos) {
    force.record(nanos, NANOSECONDS);
    forcedLogs.increment(logs);
  }

  @Override
  public void onAcknowledged(PartitionId partition, boolean durable, long nanos) {
    (durable ? acknowledgedFlushed : acknowledgedWritten).record(nanos, NANOSECONDS);
  }

  @Override
  public void onFetched(long records, long bytes) {
    fetchedRecords.increment(records);
    fetchedBytes.increment(bytes);
  }

  @Override
  public void onRequest(String api, int version, int error, long nanos) {
    requests.answered(api, version, error, nanos);
  }

  @Override
  public void onRoll(PartitionId partition, long newBaseOffset) {
    rolls.increment();
  }

  @Override
  public void onTrim(PartitionId partition, long newStart, long bytes) {
    trims.increment();
    trimmedBytes.increment(bytes);
  }

  @Override
  public void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removedRecords, long nanos) {
    compaction.record(nanos, NANOSECONDS);
    compactionInputBytes.increment(bytesBefore);
    compactionOutputBytes.increment(bytesAfter);
    compactionRemovedRecords.increment(removedRecords);
  }

  @Override
  public void onCompactionFailed(PartitionId partition, boolean full, String reason) {
    (full ? compactionsWithoutRoom : compactionsFailed).increment();
  }

  @Override
  public void onRecovered(
      PartitionId partition, long end, long scanned, long cut, int damagedRangesFound) {
    scannedBytes.addAndGet(scanned);
    cutBytes.addAndGet(cut);
  }

  @Override
  public void onDamage(PartitionId partition, long from, long to, String what) {
    damagedRanges.increment();
  }

  @Override
  public void onRepaired(PartitionId partition, long from, long to, boolean cut) {
    repairs.increment();
    lostOffsets.increment(to - from);
  }

  @Override
  public void onStranger(String path, String what) {
    strangers.increment();
  }

  @Override
  public void onConnection(boolean opened) {
    if (opened) {
      connectionsOpened.increment();
      connections.incrementAndGet();
    } else {
      connections.decrementAndGet();
    }
  }

  @Override
  public void onConnectionRefused(String reason) {
    refused
        .computeIfAbsent(reason, r -> meters.counter(MeterNames.CONNECTIONS_REFUSED, r))
        .increment();
  }

  @Override
  public void onHttpConnection(boolean opened) {
    httpConnections.addAndGet(opened ? 1 : -1);
  }

  @Override
  public void onHttpConnectionRefused(String reason, boolean full) {
    httpRefused
        .computeIfAbsent(reason, r -> meters.counter(MeterNames.HTTP_CONNECTIONS_REFUSED, r))
        .increment();
  }

  @Override
  public void onCommits(int partitions) {
    groups.committed(partitions);
  }

  @Override
  public void onCommitClamped() {
    groups.clamped();
  }

  @Override
  public void onCommitExpired() {
    groups.expired();
  }

  @Override
  public void onRebalanced(int partitionsMoved, long durationMs) {
    groups.rebalanced(partitionsMoved, durationMs);
  }

  @Override
  public void onGroupsLoaded(long records, long bytes, long nanos) {
    groups.loaded(records, nanos);
  }

  @Override
  public void onGroupsFailed() {
    groups.failed();
  }

  @Override
  public void onGroupsStalled(long ms) {
    groups.stalled(ms);
  }
}
