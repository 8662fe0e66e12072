/**
 * Reads the settings, chooses the store, builds the objects, owns threads and clocks, starts and
 * stops everything in order.
 *
 * <p>Doors: {@link io.minikafka.app.BrokerSettings} (the whole configuration, typed), {@link
 * io.minikafka.app.SettingsReader} (reads and checks it before the service boots), {@link
 * io.minikafka.app.StartRefused} (why it did not start, for an operator), {@link
 * io.minikafka.app.HttpAddress} (whether the HTTP port can be opened). Only {@code main} calls in
 * here; the rest is called by the container on its main thread.
 *
 * <p>Rung 6 of the ladder: may import all of the server, and Quarkus.
 */
@org.jspecify.annotations.NullMarked
package io.minikafka.app;
