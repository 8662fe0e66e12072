package io.minikafka.log;

import java.io.IOException;

/**
 * A walk over a segment met something that is no entry, or not the one that must stand there. The
 * index that led there may be wrong; if the log itself is walked from a known boundary it is
 * damaged.
 */
final class BadEntryException extends IOException {
  private static final long serialVersionUID = 1;

  BadEntryException(int position, String what) {
    super("position %d: %s".formatted(position, what));
  }
}
