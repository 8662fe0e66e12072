/**
 * One method per thing a client can ask, whatever it speaks: each takes a {@link
 * io.minikafka.Caller} first and answers once, with a value.
 *
 * <p>Doors: {@link io.minikafka.broker.TopicAdministration} (what is asked about topics), {@link
 * io.minikafka.broker.GroupInspection}, {@link io.minikafka.broker.GroupDeletion} and {@link
 * io.minikafka.broker.OffsetResets} (about groups), {@link io.minikafka.broker.ControlPlane} (all
 * of these), {@link io.minikafka.broker.Feed} (an answer in parts, which ends with {@link
 * io.minikafka.broker.StopSignal}), {@link io.minikafka.broker.GroupClients} (who members are),
 * {@link io.minikafka.broker.RequestDispatcher} (what comes over the data port, through one {@link
 * io.minikafka.broker.Session} a connection; bounded by {@link io.minikafka.broker.BrokerLimits}),
 * {@link io.minikafka.broker.ParkedFetches} (those who wait; told of all that may end it), {@link
 * io.minikafka.broker.BufferPool} (memory that the network layer lends). Called by net and admin,
 * on event loops too: what may wait for a disk goes to the worker. Answers come on any thread.
 */
@NullMarked
package io.minikafka.broker;

import org.jspecify.annotations.NullMarked;
