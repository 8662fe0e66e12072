/**
 * The words everyone shares: what a topic partition is called, which names are allowed, the limits.
 *
 * <p>Rung 0 of the ladder: imports nothing but {@code java.*}, and every package may import it.
 * Everything here is immutable and may be used from any thread.
 */
@org.jspecify.annotations.NullMarked
package io.minikafka;
