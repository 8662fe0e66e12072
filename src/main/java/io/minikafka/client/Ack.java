package io.minikafka.client;

import io.minikafka.TopicPartition;

/**
 * The server's receipt for one record.
 *
 * @param offset the record's
 * @param timestamp the record's, ms since the epoch, as it was sent
 * @param appendTime the broker's clock when the batch was appended, ms; −1 from a server that
 *     speaks version 0
 * @param durability what the record had reached when the server answered
 * @param durableOffset all of the partition below it was on stable storage; 0 from a server that
 *     speaks version 0
 */
public record Ack(
    TopicPartition partition,
    long offset,
    long timestamp,
    long appendTime,
    Durability durability,
    long durableOffset) {}
