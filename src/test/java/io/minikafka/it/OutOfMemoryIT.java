package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that may take little memory outside of the heap, or too little. */
@Timeout(120)
class OutOfMemoryIT {
  @TempDir Path dir;

  @Test
  void brokerThatCannotHaveMemoryEndsAndSaysSo() throws Exception {
    // Enough to start, and less than what many clients sent that has to wait.
    try (BrokerProcess broker =
        BrokerProcess.startBy(
            List.of("env", "JAVA_OPTS=-XX:MaxDirectMemorySize=1m"), dir.resolve("data"))) {
      List<Socket> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 3_000; i++) {
          Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port());
          clients.add(client);
          announce(client, 60_000, 2_000);
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

  @Test
  void framesAsLongAsItsMemoryBearsAreServedAndLongerOnesCloseTheirConnectionAlone()
      throws Exception {
    try (BrokerProcess broker =
        BrokerProcess.startBy(List.of("env", "JAVA_OPTS=-Xmx64m"), dir.resolve("data"))) {
      String said = broker.output();
      String bound = "minikafka.net.max-frame-bytes is 67108864, this process can bear ";
      assertTrue(said.contains(bound), said);
      int begin = said.indexOf(bound) + bound.length();
      int bearable = Integer.parseInt(said.substring(begin, said.indexOf(':', begin)));
      assertTrue(bearable > 4 << 20 && bearable < 16 << 20, said);

      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
        assertThrows(
            IOException.class,
            () -> {
              announce(client, bearable + 1, 500_000);
              answered(client);
            });
      }
      AtomicInteger served = new AtomicInteger();
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        senders.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int round = 0; round < 10; round++) {
                        sendWhole(broker.port(), bearable);
                        served.incrementAndGet();
                      }
                    }));
      }
      for (Thread sender : senders) {
        sender.join();
      }
      assertEquals(120, served.get());
      assertEquals(143, broker.terminate());
    }
  }

  /** A frame of zeros, which is answered with an error. */
  private static void sendWhole(int port, int frameBytes) {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      ByteBuffer frame = ByteBuffer.allocate(4 + frameBytes).order(ByteOrder.LITTLE_ENDIAN);
      frame.putInt(frameBytes).put((byte) 3).put((byte) 0).putInt(1);
      client.getOutputStream().write(frame.array());
      answered(client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answered(Socket client) throws IOException {
    if (client.getInputStream().readNBytes(10).length < 10) {
      throw new EOFException();
    }
  }

  /** Begins a frame and sends a part of it. */
  private static void announce(Socket client, int frameBytes, int sent) throws IOException {
    ByteBuffer begin = ByteBuffer.allocate(sent).order(ByteOrder.LITTLE_ENDIAN);
    begin.putInt(frameBytes).put((byte) 3).put((byte) 0).putInt(1);
    client.getOutputStream().write(begin.array());
  }
}
