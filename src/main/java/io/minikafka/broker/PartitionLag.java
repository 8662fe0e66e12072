package io.minikafka.broker;

import io.minikafka.TopicPartition;
import io.minikafka.group.CommittedOffset;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a group has read one partition, at one moment.
 *
 * @param owner id of the member that owns it; empty if nobody does
 * @param logStart log start offset
 * @param highWatermark all below it is visible
 * @param lagRecords offsets from what is committed, or the log start if that is higher, to the high
 *     watermark; never negative. Empty without a commit, or if the partition is offline
 * @param lagMs since the oldest unread record was appended, by the broker's wall clock; 0 if
 *     nothing is unread. Empty if {@code lagRecords} is, or if nobody can tell
 * @param deletedUnread offsets from what is committed to the log start
 * @param deletionInMs until retention by time may delete the oldest unread record; 0 if that is due
 * @param deletionInBytes that may be appended until retention by size may; 0 if that is due
 * @param offline empty, or why the partition serves nothing
 */
public record PartitionLag(
    TopicPartition partition,
    String owner,
    Optional<CommittedOffset> commit,
    long logStart,
    long highWatermark,
    OptionalLong lagRecords,
    OptionalLong lagMs,
    long deletedUnread,
    OptionalLong deletionInMs,
    OptionalLong deletionInBytes,
    String offline) {}
