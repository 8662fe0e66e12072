package io.minikafka.group;

/** How a member stands; the ordinal is the number in the record. */
public enum MemberState {
  /** Takes part. */
  LIVE,
  /**
   * A static member that left and will be back: owns nothing, and what it held is kept for it until
   * its session is over.
   */
  AWAY,
  /**
   * Expelled, or replaced by another process of the same instance: no member any more, but its
   * partitions are its own until its session is over.
   */
  GONE
}
