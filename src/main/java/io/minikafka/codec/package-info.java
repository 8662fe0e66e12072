/**
 * Little-endian codecs: each field of a message is written down once and serves both directions.
 *
 * <p>Doors: {@link io.minikafka.codec.Codec} (what a type looks like in bytes), {@link
 * io.minikafka.codec.Codecs} (the building blocks), {@link io.minikafka.codec.Sink} (where bytes
 * go), {@link io.minikafka.codec.Blob} (bytes that may still lie in a file). Called by protocol,
 * group, topic and client, on any thread: codecs are immutable, sinks and buffers belong to one
 * thread at a time.
 */
@NullMarked
package io.minikafka.codec;

import org.jspecify.annotations.NullMarked;
