package io.minikafka.broker;

/**
 * A committed offset under the name of its topic.
 *
 * @param partition 0-based number
 * @param offset the next to read
 * @param metadata the client's own words
 */
public record CommittedPartition(String topic, int partition, long offset, String metadata) {}
