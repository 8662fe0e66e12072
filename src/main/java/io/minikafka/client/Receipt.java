package io.minikafka.client;

import java.util.concurrent.CompletableFuture;

/** The future of one record: one object for both sides. */
final class Receipt extends CompletableFuture<Ack> implements SendCallback {
  @Override
  public void acknowledged(Ack ack) {
    complete(ack);
  }

  @Override
  public void failed(MinikafkaException failure) {
    completeExceptionally(failure);
  }
}
