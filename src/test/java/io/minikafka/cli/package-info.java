@org.jspecify.annotations.NullMarked
package io.minikafka.cli;
