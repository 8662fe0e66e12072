package io.minikafka.group;

/**
 * The bounds of groups. Each refusal names the bound it hit. Immutable.
 *
 * @param maxGroups groups that have members or commits, in the whole broker
 * @param maxMembers members of one group, joining ones included
 * @param maxTopics topics in one member's subscription
 * @param maxNameLength characters of a group's, member's or instance's name
 * @param maxMetadataBytes UTF-8 bytes of a commit's metadata
 * @param minSessionMs shortest session; also the shortest rebalance timeout
 * @param maxSessionMs longest session; also the longest rebalance timeout
 * @param joinWindowMs how long joins are gathered into one rebalance; 0: each is one
 * @param offsetsRetentionMs how long an empty group's commits are kept whose data is gone
 * @param maxRebalances how many past rebalances of each group are remembered
 */
public record GroupLimits(
    int maxGroups,
    int maxMembers,
    int maxTopics,
    int maxNameLength,
    int maxMetadataBytes,
    int minSessionMs,
    int maxSessionMs,
    int joinWindowMs,
    long offsetsRetentionMs,
    int maxRebalances) {

  /** What applies when nothing is set. */
  public static final GroupLimits DEFAULTS =
      new GroupLimits(
          10_000, 1_000, 1_000, 200, 4096, 100, 30 * 60 * 1000, 50, 7L * 24 * 3600 * 1000, 20);

  public GroupLimits {
    if (minSessionMs < 3 || maxSessionMs < minSessionMs) {
      throw new IllegalArgumentException(
          "sessions of %d … %d ms".formatted(minSessionMs, maxSessionMs));
    }
    if (maxGroups < 1 || maxMembers < 1 || maxTopics < 1 || maxNameLength < 1) {
      throw new IllegalArgumentException("a bound below 1");
    }
    if (maxMetadataBytes < 0 || joinWindowMs < 0 || offsetsRetentionMs < 0 || maxRebalances < 0) {
      throw new IllegalArgumentException("a bound below 0");
    }
  }
}
