package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that may take too little memory outside of the heap. */
@Timeout(120)
class OutOfMemoryIT {
  @TempDir Path dir;

  @Test
  void brokerThatCannotHaveMemoryEndsAndSaysSo() throws Exception {
    // Enough to start, and less than the first reads of a few connections take.
    try (BrokerProcess broker =
        BrokerProcess.startBy(
            List.of("env", "JAVA_OPTS=-XX:MaxDirectMemorySize=1m"), dir.resolve("data"))) {
      List<Socket> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 8; i++) {
          Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port());
          clients.add(client);
          announce(client, 30 << 20);
        }
      } catch (IOException e) {
        // It has ended.
      }
      assertEquals(1, broker.exitCode());
      String said = broker.output();
      assertTrue(said.contains("minikafka serve: out of memory: "), said);
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  /** Begins a frame and sends a part of it. */
  private static void announce(Socket client, int frameBytes) throws IOException {
    ByteBuffer begin = ByteBuffer.allocate(1 << 19).order(ByteOrder.LITTLE_ENDIAN);
    begin.putInt(frameBytes).put((byte) 3).put((byte) 0).putInt(1);
    client.getOutputStream().write(begin.array());
  }
}
