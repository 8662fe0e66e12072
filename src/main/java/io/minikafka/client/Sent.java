package io.minikafka.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A question under way.
 *
 * @param exchange tells whether it left
 * @param answer in words both versions share
 */
record Sent<R>(Exchange<?> exchange, CompletableFuture<R> answer) {
  static <A, R> Sent<R> of(Exchange<A> exchange, Function<A, R> meaning) {
    return new Sent<>(exchange, exchange.answer().thenApply(meaning));
  }
}
