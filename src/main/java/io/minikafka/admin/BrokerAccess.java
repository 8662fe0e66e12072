package io.minikafka.admin;

import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.HttpUse;
import java.util.Optional;

/**
 * The way from a call to the broker; the application provides the one bean. HTTP and gRPC answer
 * before the broker is there and for a while after it has gone.
 */
public interface BrokerAccess {
  /** What there is now; never waits. */
  State state();

  /** How full the HTTP port is, also while there is no broker; empty before it knows. */
  Optional<HttpUse> http();

  /** Whether there is a broker. */
  sealed interface State {
    record Serving(ControlPlane controls) implements State {}

    /**
     * @param message for the caller, for example how far the start has come
     */
    record Unavailable(Why why, String message) implements State {}
  }

  /** Why there is none; a client may tell one that comes from one that goes by the name. */
  enum Why {
    STARTING,
    SHUTTING_DOWN,
    STORAGE_FAILED
  }
}
