package io.minikafka.log;

/**
 * One data directory as it stands, for metrics.
 *
 * @param logs open logs
 * @param bytes of all their segments
 * @param unflushedBytes written and not yet forced, as far as they count against the bound
 * @param pinnedBytes handed to readers that have not given them back
 * @param pinnedSlices in how many pieces
 * @param openSealedSegments sealed segments that hold a descriptor
 */
public record DirectoryStats(
    int logs,
    long bytes,
    long unflushedBytes,
    long pinnedBytes,
    long pinnedSlices,
    int openSealedSegments) {}
