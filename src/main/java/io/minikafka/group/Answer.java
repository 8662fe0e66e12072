package io.minikafka.group;

/** A result for the request that came with {@code ticket}. */
public record Answer(long ticket, GroupResult result) {}
