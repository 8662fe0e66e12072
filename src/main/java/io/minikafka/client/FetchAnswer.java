package io.minikafka.client;

import io.minikafka.codec.Bytes;
import io.minikafka.protocol.ErrorCode;

/**
 * What a fetch brought of one partition, in words both versions share.
 *
 * @param from see {@link io.minikafka.protocol.Fetch.Answer}
 * @param to see {@link io.minikafka.protocol.Fetch.Answer}
 */
record FetchAnswer(
    ErrorCode error, long highWatermark, long logStart, long from, long to, Bytes entries) {}
