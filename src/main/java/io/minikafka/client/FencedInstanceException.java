package io.minikafka.client;

/**
 * Another process has joined the group with the same instance name and has taken this one's place.
 * Final: this subscription does not join again, or the two would take the partitions from each
 * other for ever. The way on is {@link Consumer#unsubscribe} or the end of the process.
 */
public final class FencedInstanceException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  FencedInstanceException(String message) {
    super(message, null);
  }
}
