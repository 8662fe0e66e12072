package io.minikafka.broker;

/**
 * The connections of the HTTP port at one moment: of this service, of probes, of what reads
 * metrics.
 *
 * @param connections how many are open
 * @param limit how many may be
 */
public record HttpUse(int connections, int limit) {}
