package io.minikafka.group;

import java.util.List;
import java.util.OptionalLong;

/**
 * One rebalance of a group, for the control plane.
 *
 * @param generation what it led to
 * @param startedAtMs wall clock
 * @param reasons who joined, left, expired, was expelled; which topics changed; at most a few, then
 *     how many more
 * @param members how many there were then
 * @param partitionsMoved how many partitions were to change their owner
 * @param durationMs until every partition was with its owner; empty while it is under way
 * @param superseded the next one began before that
 */
public record Rebalance(
    long generation,
    long startedAtMs,
    List<String> reasons,
    int members,
    int partitionsMoved,
    OptionalLong durationMs,
    boolean superseded) {}
