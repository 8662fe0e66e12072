package io.minikafka.group;

/**
 * A group in a list.
 *
 * @param members live ones and kept seats
 * @param commits partitions that have a committed offset
 */
public record GroupSummary(
    String group, State state, long generation, String assignor, int members, int commits) {

  /** How a group is. */
  public enum State {
    /** No members. */
    EMPTY,
    /** Every partition is with its owner. */
    STABLE,
    /** Partitions are moving. */
    REBALANCING
  }
}
