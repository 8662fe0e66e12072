/**
 * The Java client: produce, consume and create topics over the data port, with nothing but the JDK.
 *
 * <p>Doors: {@link io.minikafka.client.Producer}, {@link io.minikafka.client.Consumer}, {@link
 * io.minikafka.client.Admin}, their settings, and the {@link
 * io.minikafka.client.MinikafkaException} family. Called by applications and by the command line. A
 * producer and an admin may be used by many threads, a consumer by one at a time; each owns its
 * threads and ends them when it is closed.
 */
@NullMarked
package io.minikafka.client;

import org.jspecify.annotations.NullMarked;
