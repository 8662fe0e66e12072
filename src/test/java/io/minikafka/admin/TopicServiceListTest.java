package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceListResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Page by page. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class TopicServiceListTest extends TopicServiceBench {
  @Test
  void topicsAreListedByNamePageByPage() {
    for (String name : List.of("d", "a", "c", "e", "b")) {
      client.create(name, 1);
    }
    List<String> pages = new ArrayList<>();
    String token = "";
    do {
      TopicServiceListResponse page =
          client.topics.list(
              TopicServiceListRequest.newBuilder().setPageSize(2).setPageToken(token).build());
      pages.add(String.join(" ", page.getTopicsList().stream().map(Topic::getName).toList()));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    assertEquals(List.of("a b", "c d", "e"), pages);
  }

  @Test
  void pageThatIsExactlyFullAtTheEndHasNoNext() {
    client.create("a", 1);
    client.create("b", 1);
    TopicServiceListResponse page =
        client.topics.list(TopicServiceListRequest.newBuilder().setPageSize(2).build());
    assertEquals("", page.getNextPageToken());
  }

  @Test
  void negativePageSizeIsRefused() {
    Refusal refusal =
        refused(
            () -> client.topics.list(TopicServiceListRequest.newBuilder().setPageSize(-1).build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(Map.of("page_size", "page_size is -1, must be 0 or more"), refusal.fields());
  }

  @Test
  void pageTokenThatNoListGaveIsRefused() {
    client.create("a", 1);
    client.create("b", 1);
    String token = page(1, "").getNextPageToken();
    for (String wrong :
        List.of(
            "garbage",
            "a",
            "%%%",
            token + "A",
            token.substring(1),
            token.toLowerCase(Locale.ROOT))) {
      Refusal refusal = refused(() -> page(1, wrong));
      assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), wrong);
      assertEquals(
          Map.of(
              "page_token",
              "page_token is none that this list gave; pass next_page_token on as it is, with the"
                  + " same choice of what is listed, or leave it out for the first page"),
          refusal.fields(),
          wrong);
    }
    assertEquals("b", page(1, token).getTopics(0).getName());
  }

  private TopicServiceListResponse page(int size, String token) {
    return client.topics.list(
        TopicServiceListRequest.newBuilder().setPageSize(size).setPageToken(token).build());
  }
}
