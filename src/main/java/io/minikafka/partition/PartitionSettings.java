package io.minikafka.partition;

/**
 * The settings of a topic as its partitions see them.
 *
 * @param store those that concern the store
 * @param maxMessageBytes largest batch taken, marker included
 */
public record PartitionSettings(StoreSettings store, int maxMessageBytes) {}
