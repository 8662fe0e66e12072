/**
 * Runs the rules of consumer groups: one event at a time, persisted before it is answered, in an
 * offsets log that is a partition like any other.
 *
 * <p>Doors: {@link io.minikafka.coordinator.Coordinator} (events in, answers out), {@link
 * io.minikafka.coordinator.CoordinatorSettings}, {@link io.minikafka.coordinator.Surroundings}
 * (what app gives it), {@link io.minikafka.coordinator.GroupReply} (what comes of asking), {@link
 * io.minikafka.coordinator.Status} (whether groups are served). Called by broker, ops and app, on
 * any thread, event loops too: everything is posted and nothing waits. The rules run on the worker,
 * one burst at a time.
 */
@NullMarked
package io.minikafka.coordinator;

import org.jspecify.annotations.NullMarked;
