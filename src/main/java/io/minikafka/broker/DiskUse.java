package io.minikafka.broker;

import java.util.OptionalLong;

/**
 * What the data directory takes up.
 *
 * @param directory absolute
 * @param logBytes of all segments
 * @param unflushedBytes written and not forced, as far as they count against {@code
 *     unflushedLimitBytes}
 * @param pinnedBytes handed to readers that have not given them back
 * @param fileSystemBytes size of the file system; empty if it cannot be told, and so is
 * @param usableBytes what is left of it
 */
public record DiskUse(
    String directory,
    long logBytes,
    long unflushedBytes,
    long unflushedLimitBytes,
    long pinnedBytes,
    OptionalLong fileSystemBytes,
    OptionalLong usableBytes) {}
