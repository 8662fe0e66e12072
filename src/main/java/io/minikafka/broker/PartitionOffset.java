package io.minikafka.broker;

/**
 * An offset of a partition, as somebody named them.
 *
 * @param partition 0-based number
 */
public record PartitionOffset(String topic, int partition, long offset) {}
