package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void brokerThatDoesNotRunIsToldOfAtOnce() {
    // Nobody listens there.
    ServerAddress nowhere = new ServerAddress("127.0.0.1", 1);
    assertEquals(
        "cannot connect to 127.0.0.1:1: Connection refused (is the broker running? --broker names"
            + " another)",
        assertThrows(IOException.class, () -> running(nowhere)).getMessage());
    assertEquals(
        "cannot connect to no-such-host.invalid:1: unknown host (is the broker running? --broker"
            + " names another)",
        assertThrows(IOException.class, () -> running(new ServerAddress("no-such-host.invalid", 1)))
            .getMessage());
  }

  @Test
  void brokerThatRunsIsTakenAsItIs() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerAddress there =
          new ServerAddress(server.getInetAddress().getHostAddress(), server.getLocalPort());
      Target target = running(there);
      assertEquals(there, target.data());
      assertEquals(Optional.empty(), target.own());
    }
  }

  private static Target running(ServerAddress data) throws IOException {
    return Target.running(data, Optional.empty(), (http, topic) -> {});
  }
}
