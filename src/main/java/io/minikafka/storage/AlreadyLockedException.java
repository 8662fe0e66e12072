package io.minikafka.storage;

import java.io.IOException;

/** Somebody else holds the lock. */
public final class AlreadyLockedException extends IOException {
  private static final long serialVersionUID = 1;

  public AlreadyLockedException(String message) {
    super(message);
  }
}
