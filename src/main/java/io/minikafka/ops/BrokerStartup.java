package io.minikafka.ops;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Startup;

/**
 * Up once recovery is done, and from then on: however long that takes, nobody should restart the
 * broker meanwhile. Any thread.
 */
@Startup
@ApplicationScoped
class BrokerStartup implements HealthCheck {
  private final NodeStatus node;

  BrokerStartup(NodeStatus node) {
    this.node = node;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder answer = HealthCheckResponse.named("broker-started");
    return switch (node.nodeState()) {
      case NodeState.Starting s -> answer.down().withData("reason", "starting").build();
      case NodeState.Recovering recovering -> BrokerReadiness.down(answer, recovering);
      case NodeState.Serving s -> answer.up().build();
      case NodeState.Draining d -> answer.up().build();
      case NodeState.Stopped s -> answer.up().build();
      case NodeState.Failed f -> answer.up().build();
    };
  }
}
