package io.minikafka.admin;

import io.minikafka.broker.TopicAdministration;

/**
 * The way from a call to the broker; the application provides the one bean. HTTP and gRPC answer
 * before the broker is there and for a while after it has gone.
 */
public interface BrokerAccess {
  /** What there is now; never waits. */
  State state();

  /** Whether there is a broker. */
  sealed interface State {
    record Serving(TopicAdministration topics) implements State {}

    /**
     * @param reason for the caller, for example how far the start has come
     */
    record Unavailable(String reason) implements State {}
  }
}
