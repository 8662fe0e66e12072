package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that is not ours, and has no proto file, learns all it needs by reflection. */
@QuarkusTest
class ForeignClientTest {
  @TestHTTPResource URI http;

  @TempDir Path empty;

  private Buf buf = Buf.orSkip();

  @BeforeEach
  void awaitBroker() {
    try (ControlPlane client = new ControlPlane(http)) {
      client.awaitServing();
    }
  }

  private Buf.Run curl(String... arguments) {
    String[] line = new String[4 + arguments.length];
    System.arraycopy(
        new String[] {"curl", "--http2-prior-knowledge", "--protocol", "grpc"}, 0, line, 0, 4);
    System.arraycopy(arguments, 0, line, 4, arguments.length);
    return buf.run(empty, line);
  }

  private Buf.Run call(String method, String request) {
    String url = http.resolve("/minikafka.admin.v1.TopicService/" + method).toString();
    return curl("--data", request, url);
  }

  @Test
  void servicesAreListed() {
    Buf.Run run = curl("--list-services", http.toString());
    assertEquals(0, run.exit(), run.err());
    assertTrue(run.out().contains("minikafka.admin.v1.TopicService"), run.out());
    assertTrue(run.out().contains("grpc.health.v1.Health"), run.out());
  }

  @Test
  void topicIsCreatedDescribedAndDeleted() {
    Buf.Run created = call("Create", "{\"name\": \"foreign\", \"partitionCount\": 2}");
    assertEquals(0, created.exit(), created.err());
    Buf.Run described = call("Describe", "{\"name\": \"foreign\"}");
    assertTrue(described.out().contains("\"partitionCount\": 2"), described.out());
    assertTrue(described.out().contains("\"segmentCount\": "), described.out());
    Buf.Run deleted = call("Delete", "{\"name\": \"foreign\"}");
    assertEquals(0, deleted.exit(), deleted.err());
    Buf.Run gone = call("Describe", "{\"name\": \"foreign\"}");
    assertTrue(gone.err().contains("\"code\": \"not_found\""), gone.err());
  }

  @Test
  void errorComesWithItsDetails() {
    Buf.Run run = call("Create", "{\"name\": \"foreign\", \"partitionCount\": 0}");
    assertNotEquals(0, run.exit());
    assertTrue(run.err().contains("\"code\": \"invalid_argument\""), run.err());
    assertTrue(run.err().contains("partition count 0 is outside 1 … 10000"), run.err());
    assertTrue(run.err().contains("google.rpc.BadRequest"), run.err());
  }
}
