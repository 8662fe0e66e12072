package io.minikafka.storage;

import java.io.IOException;

/** There is no room left on the file system, or the quota is used up. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1;

  public DiskFullException(String message, Throwable cause) {
    super(message, cause);
  }

  public DiskFullException(String message) {
    super(message);
  }
}
