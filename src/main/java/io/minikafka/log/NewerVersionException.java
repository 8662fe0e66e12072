package io.minikafka.log;

import java.io.IOException;

/** A newer broker wrote this data directory; nothing in it may be touched. */
public final class NewerVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  public NewerVersionException(String message) {
    super(message);
  }
}
