/**
 * The client against a server written by hand, which speaks both versions of the protocol, keeps
 * its records in memory and does what a test tells it: answer late, refuse, forget, break bytes.
 */
@NullMarked
package io.minikafka.client;

import org.jspecify.annotations.NullMarked;
