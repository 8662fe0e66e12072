/**
 * The real thing from outside: the packaged launcher as a process, over TCP, gRPC and HTTP.
 *
 * <p>{@code *IT} run after packaging; {@link io.minikafka.it.BrokerProcess} starts a broker and
 * cannot leave one behind.
 */
@org.jspecify.annotations.NullMarked
package io.minikafka.it;
