/**
 * The words every part of minikafka shares: which partition is meant, which names are legal, who is
 * asking, and how waiting is injected.
 *
 * <p>Doors: {@link io.minikafka.TopicPartition}, {@link io.minikafka.PartitionId}, {@link
 * io.minikafka.Names}, {@link io.minikafka.Counted}, {@link io.minikafka.Timers}. Called by
 * everyone, on any thread: all types here are immutable values or interfaces.
 */
@NullMarked
package io.minikafka;

import org.jspecify.annotations.NullMarked;
