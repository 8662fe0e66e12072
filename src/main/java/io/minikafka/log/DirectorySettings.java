package io.minikafka.log;

/**
 * What a data directory is told; docs/SETTINGS.md says what more and less of each does.
 *
 * @param unflushedBytes bound on bytes written and not yet forced, over all logs whose policy is
 *     not {@code none}
 * @param forcers forces that may run at once
 * @param dirtyForceIntervalMs after so long unforced bytes are forced under any policy
 * @param retentionCheckIntervalMs between two looks for segments to roll by age or to delete
 * @param checkpointIntervalMs within which a checkpoint follows what it is to cover
 * @param openSealedSegments sealed segments that hold a descriptor at once
 * @param indexCacheBytes memory for indexes of sealed segments
 * @param hotBytes how many of the bytes touched last are taken to be in the page cache
 * @param descriptorLimit files the process may have open
 * @param reservedDescriptors of these, for sockets and all else that is no log
 * @param quarantineBytes bound on the copies of torn tails that were cut
 * @param compactionMemoryBytes for the keys that one compaction knows at a time
 * @param compactionBytesPerSecond read and written by compaction; 0 for no bound
 */
public record DirectorySettings(
    long unflushedBytes,
    int forcers,
    long dirtyForceIntervalMs,
    long retentionCheckIntervalMs,
    long checkpointIntervalMs,
    int openSealedSegments,
    long indexCacheBytes,
    long hotBytes,
    long descriptorLimit,
    int reservedDescriptors,
    long quarantineBytes,
    long compactionMemoryBytes,
    long compactionBytesPerSecond) {}
