package io.minikafka.group;

import io.minikafka.PartitionId;

/**
 * What has happened to groups, for logs, metrics and tests. {@link Granted} and {@link Ended} are
 * the grant log: between them a partition has its one owner. Immutable.
 *
 * <p>After a start the log goes on where the durable records ended: what was owned stays owned and
 * is not announced again.
 */
public sealed interface GroupNews {
  String group();

  /** A partition was put into an answer: it is the member's. */
  record Granted(String group, PartitionId partition, String member, long grant, long atMs)
      implements GroupNews {}

  /** A partition is nobody's any more, or is the same member's under a new grant. */
  record Ended(
      String group, PartitionId partition, String member, long grant, EndReason reason, long atMs)
      implements GroupNews {}

  /** Why an ownership ended. */
  enum EndReason {
    /** The member said that it no longer holds it. */
    LET_GO,
    /** The member left. */
    LEFT,
    /** The member's session was over. */
    EXPIRED,
    /** The member was expelled or replaced, and then its session was over. */
    LEASE_OVER,
    /** A version 0 member's connection closed before its first heartbeat. */
    CONNECTION_CLOSED,
    /** Offsets were set by force: a new grant follows, or the partition is let go first. */
    RESET,
    /** The topic is gone. */
    TOPIC_DELETED
  }

  /**
   * A commit lay beyond what recovery found and was set back.
   *
   * @param topic the topic's name
   */
  record Clamped(String group, String topic, PartitionId partition, long fromOffset, long toOffset)
      implements GroupNews {}

  /**
   * A commit was dropped: nobody used it and its data is gone.
   *
   * @param topic the topic's name
   */
  record OffsetExpired(String group, String topic, PartitionId partition, long offset)
      implements GroupNews {}

  /** A rebalance has ended: every partition is with its owner, or the next one has begun. */
  record Rebalanced(String group, Rebalance rebalance) implements GroupNews {}
}
