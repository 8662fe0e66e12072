package io.minikafka.ops;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;

/** Down only when nothing but a restart helps: the storage failed. Any thread. */
@Liveness
@ApplicationScoped
class BrokerLiveness implements HealthCheck {
  private final NodeStatus node;

  BrokerLiveness(NodeStatus node) {
    this.node = node;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder answer = HealthCheckResponse.named("broker-alive");
    return switch (node.nodeState()) {
      case NodeState.Failed(String reason) -> answer.down().withData("reason", reason).build();
      case NodeState.Starting s -> answer.up().build();
      case NodeState.Recovering r -> answer.up().build();
      case NodeState.Serving s -> answer.up().build();
      case NodeState.Draining d -> answer.up().build();
      case NodeState.Stopped s -> answer.up().build();
    };
  }
}
