package io.minikafka.ops;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Up while the data port is open and nobody has told the broker to stop. Any thread. */
@Readiness
@ApplicationScoped
class BrokerReadiness implements HealthCheck {
  private final NodeStatus node;

  BrokerReadiness(NodeStatus node) {
    this.node = node;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder answer = HealthCheckResponse.named("broker-ready");
    return switch (node.nodeState()) {
      case NodeState.Starting s -> answer.down().withData("reason", "starting").build();
      case NodeState.Recovering recovering -> down(answer, recovering);
      case NodeState.Serving(int port) ->
          answer
              .up()
              .withData("port", port)
              .withData("offlinePartitions", node.offlinePartitions())
              .build();
      case NodeState.Draining d -> answer.down().withData("reason", "draining").build();
      case NodeState.Stopped s -> answer.down().withData("reason", "stopped").build();
      case NodeState.Failed(String reason) -> answer.down().withData("reason", reason).build();
    };
  }

  /** Not yet, and how far recovery is. */
  static HealthCheckResponse down(
      HealthCheckResponseBuilder answer, NodeState.Recovering recovering) {
    return answer
        .down()
        .withData("reason", "recovering")
        .withData("partitionsOpened", recovering.opened())
        .withData("partitions", recovering.total())
        .build();
  }
}
