package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.TopicPartition;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers hold connections of the HTTP port: that costs them, and nobody else. */
@Timeout(180)
class HttpFloodIT {
  private static final int DESCRIPTORS = 1200;
  private static final TopicPartition FIRST = new TopicPartition("t", 0);
  private static final byte[] HALF = "GET / HT".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path dir;

  @Test
  void moreHalfRequestsThanDescriptorsCostNobodyElseAnything() throws Exception {
    flood(HALF);
  }

  /** What is left of them then is no HTTP/1 any more. */
  @Test
  void moreUpgradesThanDescriptorsCostNobodyElseAnything() throws Exception {
    flood(
        """
        GET /q/health/live HTTP/1.1\r
        Host: h\r
        Connection: Upgrade, HTTP2-Settings\r
        Upgrade: h2c\r
        HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r
        \r
        """
            .getBytes(StandardCharsets.US_ASCII));
  }

  private void flood(byte[] greeting) throws Exception {
    Path data = dir.resolve("data");
    int sent;
    try (BrokerProcess broker = limited(data);
        Producer before = Producer.open(ProducerSettings.builder(client(broker)).build())) {
      try (Admin admin = Admin.open(client(broker))) {
        admin.createTopic("t", 1, Map.of("segment.bytes", "4096"));
      }
      sent = produce(before, 20);
      List<Socket> crowd = new ArrayList<>();
      try {
        for (int i = 0; i < DESCRIPTORS + 100; i++) {
          Socket stranger = connect(broker);
          crowd.add(stranger);
          stranger.getOutputStream().write(greeting);
        }
        // Segments roll, and are opened anew.
        sent += produce(before, 60);
        try (Producer meanwhile = Producer.open(ProducerSettings.builder(client(broker)).build());
            Admin admin = Admin.open(client(broker))) {
          sent += produce(meanwhile, 20);
          admin.createTopic("another", 1, Map.of());
        }
        assertEquals(sent, read(broker));
        assertEquals(200, broker.status("/q/health/ready"));
        assertTrue(descriptors(broker) < DESCRIPTORS - 100, descriptors(broker) + " are open");
        String metrics = broker.body("/q/metrics");
        assertTrue(
            metrics.contains("minikafka_http_connections_refused_total{reason=\"made room\"}"),
            metrics);
      } finally {
        for (Socket stranger : crowd) {
          stranger.close();
        }
      }
      assertEquals(143, broker.terminate());
      assertFalse(broker.output().contains("accept(..) failed"), broker.output());
      assertEquals(
          1,
          broker.output().lines().filter(line -> line.contains("minikafka.http.max-conn")).count(),
          broker.output());
    }
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      assertEquals(sent, read(broker));
    }
  }

  @Test
  void whateverIsNoWholeRequestEndsAndAQuietStreamDoesNot() throws Exception {
    String[] soon = {
      "-Dminikafka.http.request-timeout-ms=1000", "-Dminikafka.http.idle-timeout-ms=2000"
    };
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"), soon)) {
      ManagedChannel channel =
          ManagedChannelBuilder.forAddress("127.0.0.1", broker.httpPort()).usePlaintext().build();
      var lags =
          GroupServiceGrpc.newBlockingStub(channel)
              .watchLag(
                  GroupServiceWatchLagRequest.newBuilder()
                      .setInterval(com.google.protobuf.Duration.newBuilder().setSeconds(3600))
                      .build());
      lags.next();
      long quietSince = System.nanoTime();
      try (Socket silent = connect(broker);
          Socket half = connect(broker);
          Socket preface = connect(broker);
          Socket empty = connect(broker);
          Socket garbage = connect(broker);
          Socket parked = connect(broker)) {
        half.getOutputStream().write(HALF);
        preface
            .getOutputStream()
            .write("PRI * HTTP/2.0\r\n\r\nSM".getBytes(StandardCharsets.US_ASCII));
        empty
            .getOutputStream()
            .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        garbage.getOutputStream().write(new byte[] {(byte) 0xff, 0, '\r', '\n', '\r', '\n'});
        parked
            .getOutputStream()
            .write("GET /q/health HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertTrue(drippedUntilItEnded(connect(broker)) < 30);
        for (Socket socket : List.of(silent, half, preface, empty, garbage, parked)) {
          awaitEnd(socket);
        }

        // By now the stream has been quiet for longer than the one that was parked.
        assertTrue(System.nanoTime() - quietSince > SECONDS.toNanos(2));
        assertEquals(
            io.grpc.ConnectivityState.READY, channel.getState(false), "the stream's connection");
        // On the same connection: the stream itself goes on, or this would be a second one.
        HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());
        assertTrue(
            broker.body("/q/metrics").contains("http_connections_refused_total{reason=\"idle\"}"));
        assertFalse(broker.output().contains("Exception"), broker.output());
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** What asks and has its answer always finds a place. */
  @Test
  void moreStreamsThanConnectionsMayBeLeaveRoomForProbes() throws Exception {
    int bound = 16;
    String few = "-Dminikafka.http.max-connections=" + bound;
    List<ManagedChannel> channels = new ArrayList<>();
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"), few)) {
      try {
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < 2 * bound; i++) {
          ManagedChannel channel =
              ManagedChannelBuilder.forAddress("127.0.0.1", broker.httpPort())
                  .usePlaintext()
                  .build();
          channels.add(channel);
          try {
            HealthGrpc.newBlockingStub(channel)
                .watch(HealthCheckRequest.getDefaultInstance())
                .next();
          } catch (StatusRuntimeException e) {
            assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.getStatus().getCode());
            refusals.add(String.valueOf(e.getStatus().getDescription()));
          }
        }

        assertTrue(refusals.size() >= 2 * bound - 12, refusals.toString());
        String said =
            "\\d+ connections of the HTTP port have open streams or wait for an answer; beyond 12 of"
                + " 16 no stream begins \\(minikafka.http.max-connections\\)";
        refusals.forEach(refusal -> assertTrue(refusal.matches(said), refusal));
        for (int i = 0; i < bound; i++) {
          assertEquals(200, broker.status("/q/health/live"));
        }
        channels.getFirst().shutdownNow().awaitTermination(10, SECONDS);
        while (!beginsAStream(channels.getLast())) {
          Thread.sleep(20);
        }
      } finally {
        channels.forEach(ManagedChannel::shutdownNow);
      }
    }
  }

  private static boolean beginsAStream(ManagedChannel channel) {
    try {
      HealthGrpc.newBlockingStub(channel).watch(HealthCheckRequest.getDefaultInstance()).next();
      return true;
    } catch (StatusRuntimeException refused) {
      return false;
    }
  }

  /** How many bytes went out, one each 200 ms. */
  private static int drippedUntilItEnded(Socket socket) throws Exception {
    try (socket) {
      socket.setSoTimeout(200);
      for (int i = 0; i < 60; i++) {
        socket.getOutputStream().write('G');
        try {
          if (socket.getInputStream().read() < 0) {
            return i;
          }
        } catch (java.net.SocketTimeoutException open) {
          // One more.
        }
      }
    } catch (SocketException reset) {
      return 0;
    }
    throw new AssertionError("still open");
  }

  /** Reads what comes, until there is no more. */
  private static void awaitEnd(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    try {
      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (SocketException reset) {
      // As good.
    }
  }

  private static BrokerProcess limited(Path data) throws IOException, InterruptedException {
    String limit = "ulimit -n %d && exec \"$0\" \"$@\"".formatted(DESCRIPTORS);
    return BrokerProcess.startBy(List.of("sh", "-c", limit), data);
  }

  private static Socket connect(BrokerProcess broker) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), broker.httpPort());
  }

  private static long descriptors(BrokerProcess broker) throws IOException {
    try (var open = Files.list(Path.of("/proc", "" + broker.pid(), "fd"))) {
      return open.count();
    }
  }

  private static int produce(Producer producer, int records) throws Exception {
    for (int i = 0; i < records; i++) {
      producer.send(ProducerRecord.of("t", new byte[1800])).get();
    }
    return records;
  }

  private static int read(BrokerProcess broker) {
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client(broker)).build())) {
      long end = consumer.endOffsets(List.of(FIRST)).getOrDefault(FIRST, 0L);
      consumer.assign(List.of(FIRST));
      consumer.seek(FIRST, 0);
      int got = 0;
      while (got < end) {
        got += consumer.poll(Duration.ofSeconds(10)).size();
      }
      return got;
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }
}
