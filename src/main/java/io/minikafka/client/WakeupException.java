package io.minikafka.client;

/** {@link Consumer#wakeup} was called; the consumer is as it was and can go on. */
public final class WakeupException extends MinikafkaException {
  private static final long serialVersionUID = 1;

  WakeupException() {
    super("woken up", null);
  }
}
