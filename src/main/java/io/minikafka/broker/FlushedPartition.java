package io.minikafka.broker;

/**
 * How far a partition is durable.
 *
 * @param durable all below it is on stable storage
 * @param error why not all is that was appended before; empty if it is
 */
public record FlushedPartition(String topic, int partition, long durable, String error) {}
