package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the HTTP port says to requests that no service sees. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class HttpEdgeTest {
  @TestHTTPResource URI http;

  private String http1(String request) throws IOException {
    try (Socket socket = new Socket(http.getHost(), http.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void requestWithoutAHostIsRefused() throws IOException {
    String answer = http1("GET /q/metrics HTTP/1.1\r\nConnection: close\r\n\r\n");

    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
  }

  @Test
  void oldRequestNeedsNoHost() throws IOException {
    String answer = http1("GET /q/health/live HTTP/1.0\r\n\r\n");

    assertTrue(answer.startsWith("HTTP/1.0 200 "), answer);
  }

  @Test
  void callBeyondTheBoundOfRequestsIsToldIt() {
    try (ControlPlane client = new ControlPlane(http)) {
      Refusal refusal = refused(() -> client.create("t".repeat(300_000), 1));

      assertEquals(
          new Refusal(
              Status.Code.RESOURCE_EXHAUSTED,
              "",
              "the request is larger than 262144 bytes, the limit",
              Map.of()),
          refusal);
    }
  }
}
