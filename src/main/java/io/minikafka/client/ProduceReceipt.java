package io.minikafka.client;

/**
 * The server's answer to a batch, in words both versions share.
 *
 * @param durableOffset 0 if the server does not say
 * @param appendTime −1 if the server does not say
 */
record ProduceReceipt(
    long baseOffset, long durableOffset, long appendTime, Durability durability) {}
