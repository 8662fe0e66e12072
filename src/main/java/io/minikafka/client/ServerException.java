package io.minikafka.client;

import io.minikafka.protocol.ErrorCode;

/** The server understood and refused. What was asked has not been done. */
public final class ServerException extends MinikafkaException {
  private static final long serialVersionUID = 1;
  private final ErrorCode error;

  ServerException(ErrorCode error, String message) {
    super(message, null);
    this.error = error;
  }

  public ErrorCode error() {
    return error;
  }
}
