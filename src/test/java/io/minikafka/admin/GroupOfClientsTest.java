package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.admin.v1.GroupServiceDescribeRequest;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import io.minikafka.ops.NodeState;
import io.minikafka.ops.NodeStatus;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group of real consumers as the service shows it, in the broker as it is wired. */
@QuarkusTest
@Timeout(60)
class GroupOfClientsTest {
  private static final String TOPIC = "described";
  private static final String GROUP = "readers";

  @Inject NodeStatus node;

  @TestHTTPResource URI http;

  @Test
  void memberIsShownWithItsClientsNameAndHost() {
    try (ControlPlane client = new ControlPlane(http)) {
      client.awaitServing();
      client.create(TOPIC, 2);
      var groups = GroupServiceGrpc.newBlockingStub(client.channel);
      ClientSettings settings =
          ClientSettings.builder(new ServerAddress("localhost", port())).clientName("desk").build();
      try (Consumer consumer = Consumer.open(ConsumerSettings.builder(settings).build())) {
        consumer.subscribe(List.of(TOPIC), GroupSettings.of(GROUP), RebalanceListener.NONE);
        while (consumer.assignment().size() < 2) {
          consumer.poll(Duration.ofMillis(50));
        }
        GroupServiceDescribeResponse told =
            groups.describe(GroupServiceDescribeRequest.newBuilder().setGroup(GROUP).build());
        assertEquals(1, told.getMembersCount());
        assertEquals("desk", told.getMembers(0).getClientId());
        assertEquals("127.0.0.1", told.getMembers(0).getHost());
        assertEquals(2, told.getMembers(0).getOwnedCount());
        assertEquals(2, told.getPartitionsCount());
        assertEquals(
            List.of(GROUP),
            groups.list(GroupServiceListRequest.getDefaultInstance()).getGroupsList().stream()
                .map(group -> group.getName())
                .toList());
      }
      client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(TOPIC).build());
    }
  }

  private int port() {
    return switch (node.nodeState()) {
      case NodeState.Serving(int port) -> port;
      case NodeState other -> throw new AssertionError(other);
    };
  }
}
