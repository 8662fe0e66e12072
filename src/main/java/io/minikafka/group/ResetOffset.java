package io.minikafka.group;

import java.util.Optional;

/**
 * What a reset did to one partition.
 *
 * @param resetAtMs wall clock, ms since the epoch; the same for all partitions of one reset
 * @param offset what it set
 * @param previous what was committed before; empty: nothing
 */
public record ResetOffset(long resetAtMs, long offset, Optional<CommittedOffset> previous) {}
