package io.minikafka.app;

import io.smallrye.config.WithDefault;

/** Bounds of consumer groups, {@code minikafka.group.}; at each the client gets an error. */
public interface GroupSettings {
  /**
   * Groups that have members or commits. More: more memory, and a longer start. Less: a client that
   * makes up names is stopped earlier.
   */
  @WithDefault("10000")
  int maxGroups();

  /** Members of one group. More: longer rebalances. Less: less memory a group. */
  @WithDefault("1000")
  int maxMembers();

  /** Topics one member may subscribe to. More: larger records of members. */
  @WithDefault("1000")
  int maxTopics();

  /** Bytes of the metadata of a commit. More: more memory, and a longer start. */
  @WithDefault("4096")
  int maxMetadataBytes();

  /**
   * Milliseconds of the shortest session, and of the shortest time to let go of a partition. More:
   * fewer heartbeats. Less: a member that is gone is noticed sooner, and one that only paused is
   * given up.
   */
  @WithDefault("100")
  int minSessionMs();

  /**
   * Milliseconds of the longest of both. More: a member that is gone may hold partitions longer.
   */
  @WithDefault("1800000")
  int maxSessionMs();

  /**
   * Milliseconds during which joins are gathered into one rebalance; 0 makes one of each. More:
   * fewer rebalances when many members start. Less: a new member gets its partitions sooner.
   */
  @WithDefault("50")
  int joinWindowMs();

  /**
   * Milliseconds the commits of a group without members are kept once their data is gone. More:
   * more memory. Less: a group that is away for long begins anew.
   */
  @WithDefault("604800000")
  long offsetsRetentionMs();

  /** Milliseconds between two looks for such commits. */
  @WithDefault("600000")
  long offsetsCheckIntervalMs();

  /**
   * Bytes of a segment of the offsets log; the active one is never compacted. More: fewer files,
   * more to read at a start. Less: the reverse.
   */
  @WithDefault("4194304")
  int offsetsSegmentBytes();

  /** Past rebalances that are remembered of each group. More: more memory. */
  @WithDefault("20")
  int rebalancesKept();
}
