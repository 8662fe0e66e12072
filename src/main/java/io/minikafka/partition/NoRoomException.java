package io.minikafka.partition;

import java.io.IOException;

/** There is no room for an append; the log is as it was, and appends may succeed again later. */
public final class NoRoomException extends IOException {
  private static final long serialVersionUID = 1;

  public NoRoomException(String message, Throwable cause) {
    super(message, cause);
  }
}
