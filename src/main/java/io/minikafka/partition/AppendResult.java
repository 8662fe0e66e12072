package io.minikafka.partition;

/** The answer to an append. */
public sealed interface AppendResult {
  /**
   * The batch is in the log.
   *
   * @param baseOffset of its first record
   * @param durable the durable offset when this was answered
   * @param logStart the log start offset
   * @param appendTime the broker's clock at the append, ms
   * @param epoch the log epoch the batch was written in
   * @param reached {@link Durability#WRITTEN} or {@link Durability#FLUSHED}: what is true of it now
   */
  record Appended(
      long baseOffset, long durable, long logStart, long appendTime, int epoch, Durability reached)
      implements AppendResult {}

  /**
   * The batch is not acknowledged.
   *
   * @param message names the bound or the cause
   */
  record Refused(Reason reason, String message) implements AppendResult {}

  /** Why. */
  enum Reason {
    /** Over the topic's {@code max.message.bytes}; nothing was written. */
    TOO_LARGE,
    /** A record without a key, where compaction goes by keys; nothing was written. */
    KEYLESS,
    /** No room on the disk; nothing was written. */
    DISK_FULL,
    /**
     * The partition's storage failed. If the batch was already written its fate is unknown: it may
     * or may not be there after a restart.
     */
    STORAGE_FAILED,
    /** The topic was deleted. */
    DELETED,
    /** The broker shuts down; nothing was written. */
    SHUTTING_DOWN
  }
}
