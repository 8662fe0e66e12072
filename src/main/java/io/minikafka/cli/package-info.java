/**
 * The {@code minikafka} command: everything but {@code serve}.
 *
 * <p>Doors: {@link io.minikafka.cli.Commands}, {@link io.minikafka.cli.Failures}, {@link
 * io.minikafka.cli.StandardOutput}. Only {@code main} calls in here, on the main thread; nothing
 * here boots the service. Data goes to standard output, all else to standard error.
 */
@org.jspecify.annotations.NullMarked
package io.minikafka.cli;
