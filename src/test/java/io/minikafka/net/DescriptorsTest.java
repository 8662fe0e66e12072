package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No file descriptors left: nobody can connect, and nobody who is connected notices. */
class DescriptorsTest {
  /** Of these the class path alone takes some two hundred. */
  private static final int LIMIT = 500;

  private static final byte[] RECORD = Wire.record(0, "k", "v");

  @TempDir Path directory;

  @Test
  void whoIsConnectedIsServedWhileNobodyElseCanConnect() throws Exception {
    Process process = start();
    List<WireClient> crowd = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      int port = port(out);
      WireClient first = new WireClient("127.0.0.1", port);
      crowd.add(first);
      // Whatever is loaded or opened for these is, before there is nothing left.
      assertEquals(0, first.ask(Requests.produce0(1, "t", 0, RECORD)).error());
      assertEquals(0, first.ask(Requests.fetch0(2, 0, "t", 0, 0, 100)).error());
      WireClient unheard = connectUntilOneIsNotHeard(port, crowd);
      assertTrue(crowd.size() < LIMIT);
      Duration cpuBefore = cpu(process);
      long began = System.nanoTime();
      for (int i = 0; i < 2_000; i++) {
        assertEquals(0, first.ask(Requests.produce0(i, "t", 0, RECORD)).error());
        assertEquals(0, first.ask(Requests.fetch0(i, 0, "t", 0, i, 100)).error());
      }
      assertThrows(SocketTimeoutException.class, unheard::read);
      assertThrows(SocketTimeoutException.class, unheard::read);
      Duration cpuUsed = cpu(process).minus(cpuBefore);
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      // Two thousand requests take a moment; a listener that spins takes a processor all the time.
      assertTrue(cpuUsed.compareTo(took.multipliedBy(8).dividedBy(10)) < 0, cpuUsed + "/" + took);

      crowd.subList(1, crowd.size()).forEach(DescriptorsTest::close);
      unheard.socket().setSoTimeout(20_000);
      assertEquals(0, unheard.read().error());
      unheard.close();
      assertEquals(0, first.ask(Requests.produce0(1, "t", 0, RECORD)).error());
    } finally {
      crowd.forEach(DescriptorsTest::close);
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String flags = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";
    return new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -n %d && exec \"$0\" %s -cp \"$1\" %s \"$2\""
                .formatted(LIMIT, flags, PortProcess.class.getName()),
            java,
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            directory.toString())
        .redirectError(directory.resolve("errors").toFile())
        .start();
  }

  private static int port(BufferedReader out) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring("port ".length()));
      }
    }
    throw new IOException("the process ended without a port");
  }

  private static WireClient connectUntilOneIsNotHeard(int port, List<WireClient> crowd)
      throws IOException {
    while (true) {
      WireClient next = new WireClient("127.0.0.1", port);
      next.socket().setSoTimeout(1_000);
      try {
        assertEquals(0, next.ask(Requests.hello(1)).error());
        crowd.add(next);
      } catch (SocketTimeoutException e) {
        return next;
      }
    }
  }

  private static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  private static void close(WireClient client) {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
