package io.minikafka.storage;

import java.io.IOException;

/** A name was made but could not be made durable; to force it again would prove nothing. */
public final class ForceFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  public ForceFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
