/**
 * The Java client: produce, consume and create topics over the data port, with nothing but the JDK.
 *
 * <p>Doors: {@link io.minikafka.client.Producer}, {@link io.minikafka.client.Consumer}, {@link
 * io.minikafka.client.Admin}, their settings, and the {@link
 * io.minikafka.client.MinikafkaException} family. Called by applications and by the command line. A
 * producer and an admin may be used by many threads, a consumer by one at a time; each owns its
 * threads and ends them when it is closed.
 *
 * <p>A consumer in a group: {@link io.minikafka.client.Subscription} takes up and lets go on the
 * polling thread, {@link io.minikafka.client.Membership} joins, heartbeats and sends commits on a
 * virtual one; they meet in {@link io.minikafka.client.Ownership} and {@link
 * io.minikafka.client.CommitQueue}. docs/CLIENT.md says what that promises.
 */
@NullMarked
package io.minikafka.client;

import org.jspecify.annotations.NullMarked;
