/**
 * The entrance: {@code serve} boots the service, all else is the command line.
 *
 * <p>Doors: {@link io.minikafka.main.Main}, called by the JVM on its main thread; nothing imports
 * this package, and it may import everything.
 */
@org.jspecify.annotations.NullMarked
package io.minikafka.main;
