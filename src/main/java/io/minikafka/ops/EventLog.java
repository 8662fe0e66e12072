package io.minikafka.ops;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Says in the log what is rare and what an operator should know; what is frequent is for the
 * metrics. Any thread.
 */
public final class EventLog implements EngineObserver {
  private static final System.Logger LOG = System.getLogger("io.minikafka.engine");

  @Override
  public void onWriteFailed(PartitionId partition, boolean full, String reason) {
    LOG.log(
        Level.WARNING,
        () ->
            full
                ? "no room to append to partition %s: %s".formatted(partition, reason)
                : "an append to partition %s failed: %s".formatted(partition, reason));
  }

  @Override
  public void onRoll(PartitionId partition, long newBaseOffset) {
    LOG.log(
        Level.DEBUG,
        () -> "partition %s goes on in a segment at %d".formatted(partition, newBaseOffset));
  }

  @Override
  public void onTrim(PartitionId partition, long newStart, long bytes) {
    LOG.log(
        Level.DEBUG,
        () ->
            "partition %s starts at %d now; %d bytes were given up"
                .formatted(partition, newStart, bytes));
  }

  @Override
  public void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removedRecords, long nanos) {
    LOG.log(
        Level.DEBUG,
        () ->
            "partition %s was compacted from %d to %d bytes; %d records were removed in %d ms"
                .formatted(
                    partition,
                    bytesBefore,
                    bytesAfter,
                    removedRecords,
                    TimeUnit.NANOSECONDS.toMillis(nanos)));
  }

  @Override
  public void onCompactionFailed(PartitionId partition, boolean full, String reason) {
    LOG.log(
        Level.WARNING,
        () -> "a compaction of partition %s was given up: %s".formatted(partition, reason));
  }

  @Override
  public void onRecovered(
      PartitionId partition, long end, long scannedBytes, long cutBytes, int damagedRanges) {
    Level level = cutBytes > 0 || damagedRanges > 0 ? Level.WARNING : Level.DEBUG;
    LOG.log(
        level,
        () ->
            "partition %s ends at %d: %d bytes checked, %d bytes of torn tail cut, %d ranges damaged"
                .formatted(partition, end, scannedBytes, cutBytes, damagedRanges));
  }

  @Override
  public void onDamage(PartitionId partition, long from, long to, String what) {
    LOG.log(
        Level.ERROR,
        () ->
            "offsets %d to %d of partition %s are damaged: %s"
                .formatted(from, to - 1, partition, what));
  }

  @Override
  public void onOffline(PartitionId partition, String reason) {
    LOG.log(Level.ERROR, () -> "partition %s is offline: %s".formatted(partition, reason));
  }

  @Override
  public void onStranger(String path, String what) {
    LOG.log(Level.WARNING, () -> "%s: %s".formatted(path, what));
  }

  @Override
  public void onConnectionRefused(String reason) {
    LOG.log(Level.DEBUG, () -> "closed a connection: " + reason);
  }
}
