package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.coordinator.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class HealthTest {
  private record Fixed(NodeState nodeState, int offlinePartitions, Status groups)
      implements NodeStatus {}

  private static final Status SERVED = new Status.Serving(new Status.Loaded(0, 0, 0, 0, List.of()));

  @Test
  void readyOnlyWhileServing() {
    assertEquals("DOWN {reason=starting}", ready(new NodeState.Starting()));
    assertEquals(
        "DOWN {partitions=9, partitionsOpened=4, reason=recovering}",
        ready(new NodeState.Recovering(4, 9)));
    assertEquals(
        "UP {groups=served, offlinePartitions=2, port=9092}", ready(new NodeState.Serving(9092)));
    assertEquals("DOWN {reason=draining}", ready(new NodeState.Draining()));
    assertEquals("DOWN {reason=stopped}", ready(new NodeState.Stopped()));
    assertEquals("DOWN {reason=no disk}", ready(new NodeState.Failed("no disk")));
  }

  @Test
  void readyWhileGroupsAreNotServedAndSaysWhy() {
    assertEquals(
        "UP {groups=not served: no room, offlinePartitions=0, port=9092}",
        answer(
            new BrokerReadiness(
                new Fixed(new NodeState.Serving(9092), 0, new Status.Unavailable("no room")))));
  }

  @Test
  void damageOfTheOffsetsLogIsNamedWithTheGroups() {
    Status.Missing missing = new Status.Missing(5, 9, 0, List.of("a", "b"));
    Status status = new Status.Serving(new Status.Loaded(2, 0, 0, 0, List.of(missing)));
    assertEquals(
        "UP {groups=served, offlinePartitions=0, offsetsLogDamage=offsets 5 to 8 are lost, of"
            + " groups: a b, port=9092}",
        answer(new BrokerReadiness(new Fixed(new NodeState.Serving(9092), 0, status))));
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
    return answer(new BrokerReadiness(new Fixed(state, 2, SERVED)));
  }

  private static String started(NodeState state) {
    return answer(new BrokerStartup(new Fixed(state, 2, SERVED)));
  }

  private static String alive(NodeState state) {
    return answer(new BrokerLiveness(new Fixed(state, 2, SERVED)));
  }

  private static String answer(HealthCheck check) {
    HealthCheckResponse response = check.call();
    Map<String, Object> data = new TreeMap<>(response.getData().orElse(Map.of()));
    return response.getStatus() + " " + data;
  }
}
