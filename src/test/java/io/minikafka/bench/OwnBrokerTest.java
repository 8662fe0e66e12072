package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the broker of a run is found, or why there is none; with a shell script in its place. */
class OwnBrokerTest {
  @TempDir Path dir;

  @Test
  void portsAreThoseThatTheBrokerSaysItTook() throws Exception {
    HttpServer ready =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ready.createContext("/q/health/ready", exchange -> exchange.sendResponseHeaders(200, -1));
    ready.start();
    int http = ready.getAddress().getPort();
    Files.writeString(log(), "minikafka 1 serves: data port 1, HTTP port 2, of an earlier run\n");
    try (OwnBroker broker =
        start(
            "echo \"$@\" > %s".formatted(dir.resolve("words")),
            "echo 'a line before'",
            "echo 'minikafka 1 serves: data port 4711, HTTP port %d, data directory'"
                .formatted(http),
            "exec sleep 600")) {
      assertEquals("127.0.0.1:4711", broker.data().toString());
      assertEquals("127.0.0.1:" + http, broker.http().toString());
      String words = Files.readString(dir.resolve("words"));
      assertEquals("0 0", words.replaceAll("(?s).*--port (\\d+) --http-port (\\d+).*", "$1 $2"));
    } finally {
      ready.stop(0);
    }
    assertEquals(List.of(), directories());
  }

  @Test
  void firstErrorOfABrokerThatEndsIsTold() {
    assertEquals(
        "the broker ended with 1: minikafka serve: the disk is full (all it said is in %s)"
            .formatted(log()),
        failure(
            "echo '2026-01-31 12:00:00.000 INFO  [i.m] something else'",
            "echo 'minikafka serve: the disk is full'",
            "echo '2026-01-31 12:00:00.001 WARN  [i.m] and so this failed'",
            "exit 1"));
    assertEquals(
        "the broker ended with 1: Unrecognized VM option 'Nothing' (all it said is in %s)"
            .formatted(log()),
        failure(
            "echo \"Unrecognized VM option 'Nothing'\"",
            "echo 'Error: Could not create the Java Virtual Machine.'",
            "exit 1"));
  }

  @Test
  void brokerThatEndsWithoutAnErrorIsToldWithItsLastLine() {
    assertEquals(
        "the broker ended with 137: two (all it said is in %s)".formatted(log()),
        failure("echo one", "echo two", "echo", "exit 137"));
    assertEquals(
        "the broker ended with 3: it said nothing (all it said is in %s)".formatted(log()),
        failure("exit 3"));
  }

  private Path log() {
    return dir.resolve("broker.log");
  }

  private String failure(String... lines) {
    return String.valueOf(assertThrows(IOException.class, () -> start(lines)).getMessage());
  }

  private OwnBroker start(String... lines) throws IOException, InterruptedException {
    Path program = Files.writeString(dir.resolve("program"), String.join("\n", lines));
    return OwnBroker.start(
        new OwnBroker.Command(List.of("/bin/sh", program.toString()), List.of(), Optional.empty()),
        dir.resolve("data"),
        log());
  }

  private List<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("data"))) {
      return files.toList();
    }
  }
}
