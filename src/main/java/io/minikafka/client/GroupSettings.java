package io.minikafka.client;

/**
 * How a consumer is a member of a group. Immutable; every setting but the group has a default. The
 * server has bounds of its own (sessions of 100 ms to 30 min, if not set otherwise there) and names
 * the one it refuses.
 *
 * @param group its name: 1 to 200 characters
 * @param sessionMs a member that was not heard of for so long is given up and its partitions go to
 *     others; default 45,000. Less: the partitions of a killed process are read on sooner. More:
 *     longer interruptions of the network or of the process cost nothing
 * @param rebalanceMs how long the member may take to let go of a partition that is to move; it is
 *     expelled then. Default: {@code pollIntervalMs}. Only what happens between two calls of {@code
 *     poll} counts: letting go itself takes milliseconds
 * @param pollIntervalMs longest time between two calls of {@code poll}; default 300,000. An
 *     application that takes longer counts as stuck: the member leaves the group by itself, and is
 *     back at the next {@code poll}, which tells what was lost
 * @param instance name of a static member, the same in each of its lives: a new process takes over
 *     from the one before without a rebalance. Empty: none
 * @param assignor {@code range}, {@code round-robin} or {@code sticky}; empty: the group's
 * @param autoCommit whether {@code poll} commits what earlier polls returned, and {@code close}
 *     too; default true
 * @param autoCommitIntervalMs least time between two such commits; default 5,000. Before partitions
 *     are let go and at the end it is committed whatever the time. Less: fewer records come again
 *     after a crash. More: fewer commits
 * @param topicRefreshMs how often a subscription by pattern looks for topics that came or went;
 *     default 30,000
 */
public record GroupSettings(
    String group,
    int sessionMs,
    int rebalanceMs,
    int pollIntervalMs,
    String instance,
    String assignor,
    boolean autoCommit,
    int autoCommitIntervalMs,
    int topicRefreshMs) {
  private static final int MAX_NAME_LENGTH = 200;
  private static final int LEAST_MS = 10;
  private static final int MAX_MS = 24 * 60 * 60 * 1000;

  public GroupSettings {
    Bounds.within("group name length", group.length(), 1, MAX_NAME_LENGTH);
    Bounds.within("instance name length", instance.length(), 0, MAX_NAME_LENGTH);
    Bounds.within("assignor name length", assignor.length(), 0, MAX_NAME_LENGTH);
    Bounds.within("sessionMs", sessionMs, LEAST_MS, MAX_MS);
    Bounds.within("rebalanceMs", rebalanceMs, LEAST_MS, MAX_MS);
    Bounds.within("pollIntervalMs", pollIntervalMs, LEAST_MS, MAX_MS);
    Bounds.within("autoCommitIntervalMs", autoCommitIntervalMs, 0, MAX_MS);
    Bounds.within("topicRefreshMs", topicRefreshMs, LEAST_MS, MAX_MS);
  }

  /** The defaults. */
  public static GroupSettings of(String group) {
    return builder(group).build();
  }

  public static Builder builder(String group) {
    return new Builder(group);
  }

  boolean isStatic() {
    return !instance.isEmpty();
  }

  /** Collects settings; not for use by several threads. */
  public static final class Builder {
    private final String group;
    private int sessionMs = 45_000;
    private int rebalanceMs = -1;
    private int pollIntervalMs = 300_000;
    private String instance = "";
    private String assignor = "";
    private boolean autoCommit = true;
    private int autoCommitIntervalMs = 5_000;
    private int topicRefreshMs = 30_000;

    private Builder(String group) {
      this.group = group;
    }

    public Builder sessionMs(int value) {
      sessionMs = value;
      return this;
    }

    public Builder rebalanceMs(int value) {
      rebalanceMs = value;
      return this;
    }

    public Builder pollIntervalMs(int value) {
      pollIntervalMs = value;
      return this;
    }

    public Builder instance(String value) {
      instance = value;
      return this;
    }

    public Builder assignor(String value) {
      assignor = value;
      return this;
    }

    public Builder autoCommit(boolean value) {
      autoCommit = value;
      return this;
    }

    public Builder autoCommitIntervalMs(int value) {
      autoCommitIntervalMs = value;
      return this;
    }

    public Builder topicRefreshMs(int value) {
      topicRefreshMs = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the setting that is out of bounds, and the bounds
     */
    public GroupSettings build() {
      return new GroupSettings(
          group,
          sessionMs,
          rebalanceMs == -1 ? pollIntervalMs : rebalanceMs,
          pollIntervalMs,
          instance,
          assignor,
          autoCommit,
          autoCommitIntervalMs,
          topicRefreshMs);
    }
  }
}
