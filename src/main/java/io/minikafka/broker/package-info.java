/**
 * One method per thing a client can ask, whatever it speaks: each takes a {@link
 * io.minikafka.Caller} first and answers once, with a value.
 *
 * <p>Doors: {@link io.minikafka.broker.TopicAdministration} (what is asked about topics). Called by
 * net and admin, on event loops too: what may wait for a disk goes to the worker. Answers come on
 * any thread.
 */
@NullMarked
package io.minikafka.broker;

import org.jspecify.annotations.NullMarked;
