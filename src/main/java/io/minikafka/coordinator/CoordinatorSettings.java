package io.minikafka.coordinator;

import io.minikafka.group.GroupLimits;

/**
 * What the coordinator is told.
 *
 * @param sweepIntervalMs between two looks for commits that nobody needs any more
 */
public record CoordinatorSettings(GroupLimits limits, long sweepIntervalMs) {}
