package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.BrokerServiceListConnectionsRequest;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.LogServiceListSegmentsRequest;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A token goes on with the list that gave it, and with no other. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class PageTokenTest extends GroupChangesBench {
  /** Each list, from the token it is asked with to the one it answers. */
  private Map<String, UnaryOperator<String>> lists() {
    var connections = BrokerServiceGrpc.newBlockingStub(client.channel);
    Map<String, UnaryOperator<String>> lists = new LinkedHashMap<>();
    lists.put("topics", token -> topics(token, false));
    lists.put("topics with internal ones", token -> topics(token, true));
    lists.put(
        "groups",
        token ->
            groups
                .list(
                    GroupServiceListRequest.newBuilder().setPageSize(1).setPageToken(token).build())
                .getNextPageToken());
    lists.put(
        "connections",
        token ->
            connections
                .listConnections(
                    BrokerServiceListConnectionsRequest.newBuilder()
                        .setPageSize(1)
                        .setPageToken(token)
                        .build())
                .getNextPageToken());
    return lists;
  }

  private String topics(String token, boolean includeInternal) {
    return client
        .topics
        .list(
            TopicServiceListRequest.newBuilder()
                .setPageSize(1)
                .setPageToken(token)
                .setIncludeInternal(includeInternal)
                .build())
        .getNextPageToken();
  }

  private String segments(String token) {
    return client
        .logs
        .listSegments(
            LogServiceListSegmentsRequest.newBuilder().setTopic("a").setPageToken(token).build())
        .getNextPageToken();
  }

  /** The names are numbers, so that nothing else can tell them from connections and offsets. */
  @Test
  void tokenOfAnotherListIsRefused() {
    for (String name : List.of("1", "2")) {
      client.create(name, 1);
      commit(name, "a", 0, 40);
      broker.connections().add(Long.parseLong(name));
    }
    Map<String, UnaryOperator<String>> lists = lists();
    lists.forEach(
        (giver, gives) -> {
          String token = gives.apply("");
          assertNotEquals("", token, giver);
          assertNotEquals(token, gives.apply(token), giver);
          lists.forEach(
              (taker, takes) -> {
                if (!taker.equals(giver)) {
                  assertRefused(refused(() -> takes.apply(token)), taker + " with one of " + giver);
                }
              });
          assertRefused(refused(() -> segments(token)), "segments with one of " + giver);
        });
  }

  private static void assertRefused(Refusal refusal, String which) {
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), which);
    assertEquals("INVALID_REQUEST", refusal.reason(), which);
    assertEquals(
        Map.of(
            "page_token",
            "page_token is none that this list gave; pass next_page_token on as it is, with the"
                + " same choice of what is listed, or leave it out for the first page"),
        refusal.fields(),
        which);
  }
}
