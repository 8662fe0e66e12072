package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that is not ours, and has no proto file, learns all it needs by reflection. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class ForeignClientTest {
  @Inject FakeBroker broker;

  @TestHTTPResource URI http;

  @TempDir Path empty;

  @BeforeEach
  void restart() {
    broker.restart();
  }

  private Buf.Run curl(String method, String request) {
    return Buf.orSkip()
        .run(
            empty,
            "curl",
            "--http2-prior-knowledge",
            "--protocol",
            "grpc",
            "--data",
            request,
            http.resolve("/minikafka.admin.v1.TopicService/" + method).toString());
  }

  @Test
  void servicesAreListed() {
    Buf.Run run =
        Buf.orSkip()
            .run(
                empty,
                "curl",
                "--http2-prior-knowledge",
                "--protocol",
                "grpc",
                "--list-services",
                http.toString());
    assertEquals(0, run.exit(), run.err());
    assertTrue(run.out().contains("minikafka.admin.v1.TopicService"), run.out());
    assertTrue(run.out().contains("grpc.health.v1.Health"), run.out());
  }

  @Test
  void topicIsCreatedDescribedAndDeleted() {
    Buf.Run created = curl("Create", "{\"name\": \"orders\", \"partitionCount\": 2}");
    assertEquals(0, created.exit(), created.err());
    String id = broker.topic("orders").orElseThrow().id().toString();
    Buf.Run described = curl("Describe", "{\"name\": \"orders\"}");
    assertTrue(described.out().contains(id), described.out() + described.err());
    Buf.Run deleted = curl("Delete", "{\"name\": \"orders\"}");
    assertEquals(0, deleted.exit(), deleted.err());
    assertEquals(Optional.empty(), broker.topic("orders"));
  }

  @Test
  void errorComesWithItsDetails() {
    Buf.Run run = curl("Create", "{\"name\": \"orders\", \"partitionCount\": 0}");
    assertTrue(run.exit() != 0);
    assertTrue(run.err().contains("\"code\": \"invalid_argument\""), run.err());
    assertTrue(run.err().contains("partition count 0 is outside 1 … 10000"), run.err());
    assertTrue(run.err().contains("google.rpc.BadRequest"), run.err());
  }
}
