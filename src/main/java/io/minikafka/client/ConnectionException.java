package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * The server cannot be reached, went away, does not speak this protocol, or did not answer in time.
 * For a call that changes something it says nothing about whether that was done.
 */
public final class ConnectionException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  ConnectionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
