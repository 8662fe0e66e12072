package io.minikafka.partition;

import java.io.IOException;

/** The store of a partition can no longer keep its promises; the message says since what. */
public final class StoreOfflineException extends IOException {
  private static final long serialVersionUID = 1;

  public StoreOfflineException(String reason) {
    super(reason);
  }
}
