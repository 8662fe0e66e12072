package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.Frames;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches that wait, over real TCP. The exact bounds are tested where the clock is injected. */
class LongPollIT {
  private static final int WAKE_UPS = 11;
  private static final long MAX_WAIT_MS = 400;

  @TempDir Path dir;
  private BrokerProcess broker;
  private ServerAddress address;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
    address = new ServerAddress("127.0.0.1", broker.port());
    try (Admin admin = Admin.open(ClientSettings.of(address))) {
      admin.createTopic("t", 1, Map.of());
    }
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  @Test
  void aParkedFetchIsWokenByARecordLongBeforeItsTimeIsOver() throws Exception {
    long[] wakeUpNanos = new long[WAKE_UPS];
    try (Producer producer = Producer.open(ProducerSettings.of(address));
        Poller poller = new Poller(address)) {
      for (int i = 0; i < WAKE_UPS; i++) {
        poller.ask(i, 60_000);
        awaitParked();
        long began = System.nanoTime();
        producer.send(ProducerRecord.of("t", new byte[] {(byte) i})).join();
        Fetch.AnswerV0 answer = poller.answer();
        wakeUpNanos[i] = System.nanoTime() - began;
        assertEquals(0, answer.error());
        assertTrue(answer.records().length() > 0, "an answer without a record");
      }
    }
    Arrays.sort(wakeUpNanos);
    long medianMs = TimeUnit.NANOSECONDS.toMillis(wakeUpNanos[WAKE_UPS / 2]);
    assertTrue(medianMs <= 100, "median of " + medianMs + " ms");
  }

  @Test
  void aTimeOutNeverComesEarly() throws Exception {
    try (Poller poller = new Poller(address)) {
      for (int i = 0; i < 3; i++) {
        long began = System.nanoTime();
        poller.ask(0, MAX_WAIT_MS);
        Fetch.AnswerV0 answer = poller.answer();
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertEquals(0, answer.records().length());
        assertTrue(waitedMs >= 0.9 * MAX_WAIT_MS, "answered after " + waitedMs + " ms");
      }
    }
  }

  /** Waits until the broker says that one fetch is parked. */
  private void awaitParked() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!broker.body("/q/metrics").contains("minikafka_parked_fetches 1.0")) {
      assertTrue(System.nanoTime() < end, "no fetch was parked");
    }
  }

  /** Fetches by hand, so that nothing of the client stands between the broker and the clock. */
  private static final class Poller implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final WritableByteChannel out;

    Poller(ServerAddress address) throws IOException {
      socket = new Socket(address.host(), address.port());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
      in = new DataInputStream(socket.getInputStream());
      out = Channels.newChannel(socket.getOutputStream());
    }

    void ask(long offset, long maxWaitMs) throws IOException {
      Fetch.PartitionV0 partition = new Fetch.PartitionV0("t", 0, offset, 1 << 20);
      out.write(
          Frames.request(Fetch.V0, 1, new Fetch.RequestV0((int) maxWaitMs, List.of(partition))));
    }

    Fetch.AnswerV0 answer() throws IOException {
      byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
      in.readFully(frame);
      ByteBuffer body = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
      assertEquals(0, body.getShort(4));
      return Fetch.V0.response().readAll(body.position(6)).answers().getFirst();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
