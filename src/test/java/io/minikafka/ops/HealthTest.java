package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class HealthTest {
  private record Fixed(NodeState nodeState, int offlinePartitions) implements NodeStatus {}

  @Test
  void readyOnlyWhileServing() {
    assertEquals("DOWN {reason=starting}", ready(new NodeState.Starting()));
    assertEquals(
        "DOWN {partitions=9, partitionsOpened=4, reason=recovering}",
        ready(new NodeState.Recovering(4, 9)));
    assertEquals("UP {offlinePartitions=2, port=9092}", ready(new NodeState.Serving(9092)));
    assertEquals("DOWN {reason=draining}", ready(new NodeState.Draining()));
    assertEquals("DOWN {reason=stopped}", ready(new NodeState.Stopped()));
    assertEquals("DOWN {reason=no disk}", ready(new NodeState.Failed("no disk")));
  }

  @Test
  void startedOnceRecoveryIsDone() {
    assertEquals("DOWN {reason=starting}", started(new NodeState.Starting()));
    assertEquals(
        "DOWN {partitions=9, partitionsOpened=4, reason=recovering}",
        started(new NodeState.Recovering(4, 9)));
    assertEquals("UP {}", started(new NodeState.Serving(9092)));
    assertEquals("UP {}", started(new NodeState.Draining()));
  }

  @Test
  void aliveUnlessTheStorageFailed() {
    assertEquals("UP {}", alive(new NodeState.Starting()));
    assertEquals("UP {}", alive(new NodeState.Recovering(4, 9)));
    assertEquals("UP {}", alive(new NodeState.Draining()));
    assertEquals("DOWN {reason=no disk}", alive(new NodeState.Failed("no disk")));
  }

  private static String ready(NodeState state) {
    return answer(new BrokerReadiness(new Fixed(state, 2)));
  }

  private static String started(NodeState state) {
    return answer(new BrokerStartup(new Fixed(state, 2)));
  }

  private static String alive(NodeState state) {
    return answer(new BrokerLiveness(new Fixed(state, 2)));
  }

  private static String answer(HealthCheck check) {
    HealthCheckResponse response = check.call();
    Map<String, Object> data = new TreeMap<>(response.getData().orElse(Map.of()));
    return response.getStatus() + " " + data;
  }
}
