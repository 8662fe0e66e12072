package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * A batch was sent, and no answer came: the connection was lost or the time ran out. Its records
 * may be in the log or not, and may still get there. The producer does not send them again, because
 * that could write them twice; who does so takes that risk knowingly.
 */
public final class UnknownOutcomeException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  UnknownOutcomeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
