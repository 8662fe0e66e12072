package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * The record was taken by the producer but never left it, so it is certainly not in the log. Either
 * no connection could be made for too long, or the producer was closed, or an earlier batch of the
 * same partition has an unknown outcome (the cause) and sending this one would have broken the
 * order. Sending it again makes no duplicate.
 */
public final class NotSentException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  NotSentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
