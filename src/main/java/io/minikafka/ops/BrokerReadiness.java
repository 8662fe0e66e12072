package io.minikafka.ops;

import io.minikafka.coordinator.Status;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.Collectors;
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
          withGroups(
                  answer
                      .up()
                      .withData("port", port)
                      .withData("offlinePartitions", node.offlinePartitions()))
              .build();
      case NodeState.Draining d -> answer.down().withData("reason", "draining").build();
      case NodeState.Stopped s -> answer.down().withData("reason", "stopped").build();
      case NodeState.Failed(String reason) -> answer.down().withData("reason", reason).build();
    };
  }

  /** Records are served also while groups are not: that alone takes no client away. */
  private HealthCheckResponseBuilder withGroups(HealthCheckResponseBuilder answer) {
    return switch (node.groups()) {
      case Status.Loading l -> answer.withData("groups", "not served: the offsets log is read");
      case Status.Unavailable(String reason) -> answer.withData("groups", "not served: " + reason);
      case Status.Stopped s -> answer.withData("groups", "not served: stopped");
      case Status.Serving(Status.Loaded loaded) -> {
        answer.withData("groups", "served");
        yield loaded.missing().isEmpty()
            ? answer
            : answer.withData("offsetsLogDamage", damage(loaded.missing()));
      }
    };
  }

  private static String damage(List<Status.Missing> missing) {
    return missing.stream()
        .map(
            one ->
                "offsets %d to %d are lost, of groups: %s"
                    .formatted(one.from(), one.to() - 1, String.join(" ", one.groups())))
        .collect(Collectors.joining("; "));
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
