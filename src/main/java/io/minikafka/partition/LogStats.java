package io.minikafka.partition;

/**
 * What a partition takes up.
 *
 * @param bytes of all its batches as they are kept, from the log start's segment on
 * @param segments pieces they are kept in, the active one included
 */
public record LogStats(long bytes, int segments) {}
