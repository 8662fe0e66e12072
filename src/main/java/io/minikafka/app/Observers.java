package io.minikafka.app;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.ops.EventLog;
import io.minikafka.ops.MetricsObserver;

/**
 * The one observer the engine knows: counts everything, logs what is rare, adds up recovery. Any
 * thread.
 */
record Observers(MetricsObserver metrics, EventLog log, Tally tally) implements EngineObserver {
  @Override
  public void onWrite(PartitionId partition, int batches, long records, long bytes, long nanos) {
    metrics.onWrite(partition, batches, records, bytes, nanos);
  }

  @Override
  public void onWriteStalled(PartitionId partition, long nanos) {
    metrics.onWriteStalled(partition, nanos);
  }

  @Override
  public void onWriteFailed(PartitionId partition, boolean full, String reason) {
    metrics.onWriteFailed(partition, full, reason);
    log.onWriteFailed(partition, full, reason);
  }

  @Override
  public void onForce(int logs, long nanos) {
    metrics.onForce(logs, nanos);
  }

  @Override
  public void onAcknowledged(PartitionId partition, boolean durable, long nanos) {
    metrics.onAcknowledged(partition, durable, nanos);
  }

  @Override
  public void onFetched(long records, long bytes) {
    metrics.onFetched(records, bytes);
  }

  @Override
  public void onRoll(PartitionId partition, long newBaseOffset) {
    metrics.onRoll(partition, newBaseOffset);
    log.onRoll(partition, newBaseOffset);
  }

  @Override
  public void onTrim(PartitionId partition, long newStart, long bytes) {
    metrics.onTrim(partition, newStart, bytes);
    log.onTrim(partition, newStart, bytes);
  }

  @Override
  public void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removedRecords, long nanos) {
    metrics.onCompacted(partition, bytesBefore, bytesAfter, removedRecords, nanos);
    log.onCompacted(partition, bytesBefore, bytesAfter, removedRecords, nanos);
  }

  @Override
  public void onCompactionFailed(PartitionId partition, boolean full, String reason) {
    metrics.onCompactionFailed(partition, full, reason);
    log.onCompactionFailed(partition, full, reason);
  }

  @Override
  public void onUpkeepFailed(PartitionId partition, String what, String reason) {
    log.onUpkeepFailed(partition, what, reason);
  }

  @Override
  public void onRecovered(
      PartitionId partition, long end, long scannedBytes, long cutBytes, int damagedRanges) {
    metrics.onRecovered(partition, end, scannedBytes, cutBytes, damagedRanges);
    log.onRecovered(partition, end, scannedBytes, cutBytes, damagedRanges);
    tally.onRecovered(partition, end, scannedBytes, cutBytes, damagedRanges);
  }

  @Override
  public void onDamage(PartitionId partition, long from, long to, String what) {
    metrics.onDamage(partition, from, to, what);
    log.onDamage(partition, from, to, what);
  }

  @Override
  public void onRepaired(PartitionId partition, long from, long to, boolean cut) {
    metrics.onRepaired(partition, from, to, cut);
    log.onRepaired(partition, from, to, cut);
  }

  @Override
  public void onOffline(PartitionId partition, String reason) {
    log.onOffline(partition, reason);
  }

  @Override
  public void onStranger(String path, String what) {
    metrics.onStranger(path, what);
    log.onStranger(path, what);
  }

  @Override
  public void onRequest(String api, int version, int error, long nanos) {
    metrics.onRequest(api, version, error, nanos);
  }

  @Override
  public void onOutOfMemory(String reason) {
    Ending.outOfMemory(reason);
  }

  @Override
  public void onConnection(boolean opened) {
    metrics.onConnection(opened);
  }

  @Override
  public void onConnectionRefused(String reason) {
    metrics.onConnectionRefused(reason);
    log.onConnectionRefused(reason);
  }

  @Override
  public void onHttpConnection(boolean opened) {
    metrics.onHttpConnection(opened);
  }

  @Override
  public void onHttpConnectionRefused(String reason, boolean full) {
    metrics.onHttpConnectionRefused(reason, full);
    log.onHttpConnectionRefused(reason, full);
  }

  @Override
  public void onCommits(int partitions) {
    metrics.onCommits(partitions);
  }

  @Override
  public void onCommitClamped() {
    metrics.onCommitClamped();
  }

  @Override
  public void onCommitExpired() {
    metrics.onCommitExpired();
  }

  @Override
  public void onRebalanced(int partitionsMoved, long durationMs) {
    metrics.onRebalanced(partitionsMoved, durationMs);
  }

  @Override
  public void onGroupsLoaded(long records, long bytes, long nanos) {
    metrics.onGroupsLoaded(records, bytes, nanos);
  }

  @Override
  public void onGroupsFailed() {
    metrics.onGroupsFailed();
  }

  @Override
  public void onGroupsStalled(long ms) {
    metrics.onGroupsStalled(ms);
  }
}
