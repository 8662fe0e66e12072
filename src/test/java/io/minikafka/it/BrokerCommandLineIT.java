package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line tells of a real broker, and of who is connected to it. */
class BrokerCommandLineIT {
  @TempDir Path dir;

  private CommandLineRig rig;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    rig = new CommandLineRig(dir);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void infoSaysWhatTheBrokerIsAndWhatWasSetAndByWhom() throws Exception {
    String info = rig.ok("broker", "info");
    assertTrue(info.contains(dir.resolve("data").toString()), info);
    assertTrue(info.matches("(?s).*minikafka\\.port +\\d+ +9092 +flag or -D.*"), info);
    assertFalse(info.contains("minikafka.advertised-host"), info);
    assertTrue(info.matches("(?s)BROKER +127\\.0\\.0\\.1:\\d+\nnode +1 of minikafka\n.*"), info);
    String json = rig.ok("broker", "info", "--output", "json");
    assertTrue(json.contains("\"flushPolicy\":\"commit\""), json);
    assertTrue(
        json.contains(
            "\"minikafka.port\":{\"value\":\"%d\",\"defaultValue\":\"9092\",\"source\":\"flag or -D\"}"
                .formatted(rig.broker().port())),
        json);
    assertTrue(json.contains("\"groupCount\":0,\"groupsServed\":true"), json);
    assertTrue(json.matches("(?s).*\"usableBytes\":[1-9].*"), json);
  }

  @Test
  void infoAfterAKillSaysWhatRecoveryDid() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "2");
    Path lines = Files.writeString(dir.resolve("lines"), "one\ntwo\n");
    rig.ok("produce", "t", "--file", lines.toString());
    rig.broker().kill();
    rig.startAgain();
    String json = rig.ok("broker", "info", "--output", "json");
    // The offsets log is a topic, too.
    assertTrue(json.contains("\"topicCount\":2,\"partitionCount\":3,\"checkedBytes\":"), json);
    assertFalse(json.contains("\"checkedBytes\":0,"), json);
    assertTrue(json.contains("\"damagedRangeCount\":0"), json);
    assertFalse(json.contains("\"logBytes\":0,"), json);
  }

  @Test
  void connectionIsListedAndClosed() throws Exception {
    assertEquals("", rig.ok("connections"));
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), rig.broker().port())) {
      client.getOutputStream().write(hello("a client"));
      int length = client.getInputStream().readNBytes(4)[0];
      client.getInputStream().readNBytes(length);
      String json = rig.ok("connections", "--output", "json");
      assertTrue(json.contains("\"clientName\":\"a client\""), json);
      assertTrue(json.contains("\"protocolVersion\":1,\"requestCount\":1"), json);
      assertEquals(1, json.lines().count(), json);
      String id = json.replaceAll("(?s).*\"id\":(\\d+).*", "$1");
      assertTrue(rig.ok("connections", "list").contains("a client"));
      assertTrue(
          rig.ok("connections", "close", id, "--dry-run")
              .startsWith("would close connection " + id));
      assertTrue(rig.ok("connections", "close", id).startsWith("closed connection " + id));
      assertEquals(-1, client.getInputStream().read());
      Launcher.Result again = rig.run("connections", "close", id);
      assertEquals(1, again.exitCode());
      assertTrue(again.err().contains("there is no connection " + id), again::err);
    }
    assertEquals(2, rig.run("connections", "close", "x").exitCode());
  }

  private static byte[] hello(String name) {
    byte[] client = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame =
        ByteBuffer.allocate(4 + 6 + 4 + client.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(frame.capacity() - 4).put((byte) 11).put((byte) 1).putInt(1);
    return frame.putInt(client.length).put(client).putInt(0).array();
  }
}
