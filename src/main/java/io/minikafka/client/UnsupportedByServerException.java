package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * The server speaks a version of the protocol that cannot express what was asked, for example
 * version 0 and a record with headers. Nothing was sent.
 */
public final class UnsupportedByServerException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  UnsupportedByServerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
