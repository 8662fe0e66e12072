package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.ServerAddress;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that answers Hello as the test wants it, up to its limit. */
class IdleConnectionsTest {
  private static final int LIMIT = 3;

  private ServerSocket server;
  private ServerAddress address;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    address = new ServerAddress(server.getInetAddress().getHostAddress(), server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void eachHasSaidHelloWhenAllAreOpen() throws Exception {
    CompletableFuture<Integer> hellos = serve(ErrorCode.NONE);
    try (IdleConnections connections = new IdleConnections(address)) {
      connections.open(2);
      connections.open(1);
      server.close();
      assertEquals(3, hellos.get());
    }
  }

  @Test
  void connectionThatTheBrokerClosesIsToldByItsNumber() throws Exception {
    serve(ErrorCode.NONE);
    try (IdleConnections connections = new IdleConnections(address)) {
      IOException failure = assertThrows(IOException.class, () -> connections.open(LIMIT + 1));
      assertTrue(failure.toString().contains("idle connection 4 of 4: "), failure::toString);
    }
  }

  @Test
  void refusedHelloIsToldByTheNameOfTheError() throws Exception {
    serve(ErrorCode.UNKNOWN_API);
    try (IdleConnections connections = new IdleConnections(address)) {
      IOException failure = assertThrows(IOException.class, () -> connections.open(1));
      assertEquals("idle connection 1 of 1: the broker answered UNKNOWN_API", failure.getMessage());
    }
  }

  @Test
  void noMoreAreOpenedThanTheProcessMayHaveWithAThousandToSpare() {
    assertEquals(10_000, IdleConnections.most(10_000, 20_000));
    assertEquals(9_001, IdleConnections.most(10_000, 10_001));
    assertEquals(1, IdleConnections.most(10_000, 256));
    assertEquals(10_000, IdleConnections.most(10_000, Long.MAX_VALUE));
  }

  @Test
  void processDoesWhatItsLinesSayAndTellsWhatItDidOrWhyNot() throws Exception {
    CompletableFuture<Integer> hellos = serve(ErrorCode.NONE);
    StringWriter answers = new StringWriter();

    IdleProcess.run(
        address,
        new BufferedReader(new StringReader("open 2\nclose\nsleep\nopen 2\n")),
        new PrintWriter(answers));

    List<String> lines = answers.toString().lines().toList();
    assertEquals(List.of("open 2", "close", "not understood: sleep"), lines.subList(0, 3));
    assertTrue(lines.get(3).startsWith("idle connection 2 of 2: "), () -> lines.get(3));
    server.close();
    assertEquals(3, hellos.get());
  }

  /** The hellos that were heard, once the server is closed. */
  private CompletableFuture<Integer> serve(ErrorCode error) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<Socket> open = new ArrayList<>();
          int hellos = 0;
          try {
            while (true) {
              Socket socket = server.accept();
              open.add(socket);
              if (hellos == LIMIT) {
                socket.close();
              } else {
                answer(socket, error);
                hellos++;
              }
            }
          } catch (IOException e) {
            // The test has closed the server.
            return hellos;
          }
        });
  }

  private static void answer(Socket socket, ErrorCode error) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    in.readNBytes(Integer.reverseBytes(in.readInt()));
    ByteBuffer answer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    answer.putInt(Frames.RESPONSE_HEADER_BYTES + 5).putInt(0).putShort((short) error.code());
    answer.put(new byte[5]);
    socket.getOutputStream().write(answer.array(), 0, answer.position());
  }
}
