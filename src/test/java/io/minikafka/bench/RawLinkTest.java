package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.ServerAddress;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that sends what the test has it send. */
class RawLinkTest {
  private ServerSocket server;
  private Socket socket;
  private RawLink link;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    link =
        RawLink.connect(
            new ServerAddress(server.getInetAddress().getHostAddress(), server.getLocalPort()));
    socket = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    link.close();
    socket.close();
    server.close();
  }

  @Test
  void answersOfEverySizeComeWholeHoweverTheyAreCut() throws Exception {
    Random random = new Random(5);
    int[] sizes = {0, 1, 48, 300_000, 7, 262_138, 2_000_000, 3};
    ByteBuffer all = ByteBuffer.allocate(3_000_000).order(ByteOrder.LITTLE_ENDIAN);
    for (int size : sizes) {
      put(all, ErrorCode.NONE, size);
    }
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(() -> sendInPieces(all.flip(), random));

    for (int i = 0; i < sizes.length; i++) {
      ByteBuffer body = link.answer();
      assertEquals(sizes[i], body.remaining());
      for (int at = 0; at < sizes[i]; at++) {
        assertEquals((byte) sizes[i], body.get(at));
      }
    }
    sending.get();
    assertFalse(link.hasAnswer());
  }

  @Test
  void answersThatCameTogetherAreThereWithoutAsking() throws Exception {
    ByteBuffer two = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    put(two, ErrorCode.NONE, 4);
    put(two, ErrorCode.NONE, 5);
    sendInPieces(two.flip(), new Random(1));
    link.answer();
    // Both may have come in one piece or not; asked for the second, there is no third.
    assertEquals(5, link.answer().remaining());
    assertFalse(link.hasAnswer());
  }

  @Test
  void errorOfTheBrokerIsToldByItsName() throws Exception {
    ByteBuffer refused = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    put(refused, ErrorCode.UNKNOWN_TOPIC, 4);
    sendInPieces(refused.flip(), new Random(1));
    IOException failure = assertThrows(IOException.class, link::answer);
    assertTrue(failure.toString().contains("UNKNOWN_TOPIC"), failure::toString);
  }

  @Test
  void brokerThatGoesAwayIsNotWaitedFor() throws Exception {
    socket.close();
    assertThrows(IOException.class, link::answer);
  }

  /** The body's bytes all say how many they are. */
  private static void put(ByteBuffer out, ErrorCode error, int bodyBytes) {
    byte[] body = new byte[bodyBytes];
    Arrays.fill(body, (byte) bodyBytes);
    out.putInt(Frames.RESPONSE_HEADER_BYTES + bodyBytes)
        .putInt(0)
        .putShort((short) error.code())
        .put(body);
  }

  private void sendInPieces(ByteBuffer all, Random random) {
    try {
      OutputStream out = socket.getOutputStream();
      while (all.hasRemaining()) {
        byte[] piece = new byte[Math.min(all.remaining(), 1 + random.nextInt(50_000))];
        all.get(piece);
        out.write(piece);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
