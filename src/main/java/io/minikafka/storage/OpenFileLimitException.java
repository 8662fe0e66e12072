package io.minikafka.storage;

import java.io.IOException;

/** The process has as many open files as it may have ({@code ulimit -n}). */
public final class OpenFileLimitException extends IOException {
  private static final long serialVersionUID = 1;

  public OpenFileLimitException(String message, Throwable cause) {
    super(message, cause);
  }
}
