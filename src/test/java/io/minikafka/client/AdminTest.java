package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.protocol.Api;
import io.minikafka.protocol.CreateTopic;
import io.minikafka.protocol.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AdminTest {
  @Test
  void aTopicIsCreatedWithItsSettingsAndDescribed() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Admin admin = Admin.open(server.client().build())) {

      TopicDescription created = admin.createTopic("t", 3, Map.of("retention.ms", "5"));

      assertEquals(Optional.of(created), admin.topic("t"));
      assertEquals(List.of(created), admin.topics());
      assertEquals(Optional.empty(), admin.topic("u"));
      CreateTopic.Request request =
          server.received(Api.CREATE_TOPIC).getFirst().as(CreateTopic.Request.class);
      assertEquals(List.of(new CreateTopic.Setting("retention.ms", "5")), request.settings());
    }
  }

  @Test
  void validatingCreatesNothing() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Admin admin = Admin.open(server.client().build())) {

      admin.validateTopic("t", 3, Map.of());

      assertEquals(Optional.empty(), admin.topic("t"));
    }
  }

  @Test
  void aRefusalIsToldInTheServersWords() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Admin admin = Admin.open(server.client().build())) {

      ServerException e =
          assertThrows(ServerException.class, () -> admin.createTopic("t", 1, Map.of()));

      assertEquals(ErrorCode.TOPIC_EXISTS, e.error());
      assertEquals("TOPIC_EXISTS: t exists", e.getMessage());
    }
  }

  @Test
  void version0CreatesAndDescribesButNoMore() throws Exception {
    try (FakeServer server = FakeServer.version0();
        Admin admin = Admin.open(server.client().build())) {

      TopicDescription created = admin.createTopic("t", 3, Map.of());

      assertEquals(new TopicDescription("t", Optional.empty(), 3, false), created);
      assertEquals(Optional.of(created), admin.topic("t"));
      assertThrows(UnsupportedByServerException.class, admin::topics);
      assertThrows(
          UnsupportedByServerException.class, () -> admin.createTopic("u", 1, Map.of("a", "b")));
      assertEquals(0, admin.server().protocolVersion());
    }
  }

  @Test
  void aServerThatCannotBeReachedIsNamed() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    try (Admin admin = Admin.open(server.client().outageMs(0).build())) {

      assertThrows(ConnectionException.class, admin::server);
    }
  }
}
