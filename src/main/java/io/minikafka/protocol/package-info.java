/**
 * What client and server say to each other on the data port; docs/PROTOCOL.md is the same in prose.
 *
 * <p>Doors: {@link io.minikafka.protocol.Api} (the API table), {@link
 * io.minikafka.protocol.ErrorCode} (the error table), {@link io.minikafka.protocol.Call} (an API in
 * one version: its request, its response, their codecs), {@link io.minikafka.protocol.Calls} (all
 * of them), {@link io.minikafka.protocol.Frames} (what stands around a body), and one class an API.
 * Called by client, net and broker, on any thread: everything here is immutable.
 */
@NullMarked
package io.minikafka.protocol;

import org.jspecify.annotations.NullMarked;
