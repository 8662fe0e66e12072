package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * The producer holds as many unacknowledged bytes as it may, and its settings say to fail rather
 * than to block, or it has blocked for as long as they allow. The record was not taken: sending it
 * again later is safe.
 */
public final class BufferFullException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  BufferFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
