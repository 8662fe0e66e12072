/** The ladder of packages, held by a test that is itself tested. */
@org.jspecify.annotations.NullMarked
package io.minikafka.ladder;
