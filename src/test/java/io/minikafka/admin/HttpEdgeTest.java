package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the HTTP port says to requests that no service sees. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class HttpEdgeTest {
  @Inject FakeBroker broker;

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

  /** By our bound 20,000, by what HTTP/2 takes in 100,000: that its clients keep themselves. */
  @Test
  void callWhoseHeadersAreTooLargeIsRefusedAndNoOtherOfItsConnection() {
    try (ControlPlane client = new ControlPlane(http)) {
      broker.restart();
      broker.startGroups();
      var other =
          GroupServiceGrpc.newBlockingStub(client.channel)
              .watchLag(GroupServiceWatchLagRequest.getDefaultInstance());
      other.next();
      for (int bytes : List.of(9_000, 16_000)) {
        create(client, "h" + bytes, bytes);
      }
      for (int bytes : List.of(17_000, 20_000, 60_000)) {
        Refusal refusal = refused(() -> create(client, "t", bytes));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.code(), refusal::message);
        assertTrue(
            refusal
                .message()
                .matches("the headers of the call have [0-9]+ bytes; the limit is 16384"),
            refusal::message);
      }
      refused(() -> create(client, "t", 100_000));

      broker.timers().advanceMs(1_000);
      other.next();
    }
  }

  private static Object create(ControlPlane client, String topic, int headerBytes) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("note", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(headerBytes));
    return client
        .topics
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .create(client.request(topic, 1).build());
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
