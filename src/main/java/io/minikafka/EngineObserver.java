package io.minikafka;

/**
 * What happens inside the engine, as it happens; metrics and logs hang on it. Called on hot paths
 * by any thread: implementations count and return, never block, never throw. All methods do nothing
 * unless overridden.
 */
public interface EngineObserver {
  EngineObserver NONE = new EngineObserver() {};

  /** One positional write of {@code batches} batches. */
  default void onWrite(PartitionId partition, int batches, long records, long bytes, long nanos) {}

  /** A write held up a thread that must not block, by {@code nanos}; told besides onWrite. */
  default void onWriteStalled(PartitionId partition, long nanos) {}

  /** A write failed; {@code full} if for want of room. */
  default void onWriteFailed(PartitionId partition, boolean full, String reason) {}

  /** One group commit: {@code logs} logs were made durable by one forcer step. */
  default void onForce(int logs, long nanos) {}

  /** An acknowledgement was given {@code nanos} after its batch was offered. */
  default void onAcknowledged(PartitionId partition, boolean durable, long nanos) {}

  /** A fetch is answered with entries of so many offsets. */
  default void onFetched(long records, long bytes) {}

  default void onRoll(PartitionId partition, long newBaseOffset) {}

  /** Retention or DeleteRecords moved the log start; {@code bytes} were given up. */
  default void onTrim(PartitionId partition, long newStart, long bytes) {}

  /**
   * A compaction has ended: the segments it looked at had {@code bytesBefore} bytes and have {@code
   * bytesAfter}.
   */
  default void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removedRecords, long nanos) {}

  /** A compaction was given up; {@code full} if for want of room or descriptors. */
  default void onCompactionFailed(PartitionId partition, boolean full, String reason) {}

  /** Looking after a log failed, for now: {@code what} is what was to be done. */
  default void onUpkeepFailed(PartitionId partition, String what, String reason) {}

  /** A partition is open; what recovery found. {@code scannedBytes} 0 after a clean shutdown. */
  default void onRecovered(
      PartitionId partition, long end, long scannedBytes, long cutBytes, int damagedRanges) {}

  /** Offsets {@code from} … {@code to} − 1 are damaged and kept. */
  default void onDamage(PartitionId partition, long from, long to, String what) {}

  /**
   * Damage was given up by an operator.
   *
   * @param from first offset that is lost
   * @param to behind the last one
   * @param cut whether the log ends there now, instead of going on behind it
   */
  default void onRepaired(PartitionId partition, long from, long to, boolean cut) {}

  default void onOffline(PartitionId partition, String reason) {}

  /** Something strange that was set aside or left alone; said once per thing. */
  default void onStranger(String path, String what) {}

  /** A request was answered. {@code error} is the protocol's code, 0 for none. */
  default void onRequest(String api, int version, int error, long nanos) {}

  /**
   * Memory ran out, in the midst of something: what is left of that nobody knows, so the process
   * should end.
   */
  default void onOutOfMemory(String reason) {}

  default void onConnection(boolean opened) {}

  /** A connection was closed by the broker; {@code reason} is one of a fixed few words. */
  default void onConnectionRefused(String reason) {}

  default void onHttpConnection(boolean opened) {}

  /**
   * A connection of the HTTP port was closed by the broker.
   *
   * @param reason one of a fixed few words
   * @param full whether because as many were open as may be
   */
  default void onHttpConnectionRefused(String reason, boolean full) {}

  /** Offsets were committed: so many partitions. */
  default void onCommits(int partitions) {}

  /** A commit lay beyond the log that recovery left and was set back. */
  default void onCommitClamped() {}

  /** A commit was dropped because nobody used it any more and its data is gone. */
  default void onCommitExpired() {}

  /**
   * A rebalance of a group has ended.
   *
   * @param durationMs until every partition was with its owner; −1 if the next one began before
   */
  default void onRebalanced(int partitionsMoved, long durationMs) {}

  /** The offsets log was read and groups are served. */
  default void onGroupsLoaded(long records, long bytes, long nanos) {}

  /** An append to the offsets log failed; groups are read anew. */
  default void onGroupsFailed() {}

  /** The broker itself stood still; sessions of members are extended by that. */
  default void onGroupsStalled(long ms) {}
}
