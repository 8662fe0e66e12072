package io.minikafka.log;

import io.minikafka.PartitionId;

/**
 * What a checkpoint says of one log; docs/FORMAT.md draws it.
 *
 * @param logEpoch the epoch the log is written in
 * @param start log start offset
 * @param durable all below it is on stable storage
 * @param openOffset the log end when {@code logEpoch} began: from there on no marker has a lower
 *     one
 * @param end log end offset; with the clean mark equal to {@code durable}
 * @param endPosition where in the active segment the log ends
 * @param lastMarkerCrc checksum of the last batch's marker; 0 if the active segment is empty
 */
record CheckpointEntry(
    PartitionId id,
    int logEpoch,
    long start,
    long durable,
    long openOffset,
    long end,
    int endPosition,
    int lastMarkerCrc) {}
