/**
 * Which topics exist, their ids and their settings, kept so that a crash at any point leaves the
 * old or the new, and the partitions of all of them, open.
 *
 * <p>Doors: {@link io.minikafka.topic.Topics} (the live registry: lookups and changes), {@link
 * io.minikafka.topic.Topic} (one topic as it was at one moment), {@link
 * io.minikafka.topic.TopicSettings} and {@link io.minikafka.topic.SettingKey} (what a topic can be
 * told), {@link io.minikafka.topic.Outcome} and {@link io.minikafka.topic.TopicError} (the answer
 * to a change), {@link io.minikafka.topic.TopicListener}. Called by coordinator and broker: lookups
 * on event loops, without a lock; changes from anywhere, carried out one at a time on the worker.
 */
@NullMarked
package io.minikafka.topic;

import org.jspecify.annotations.NullMarked;
